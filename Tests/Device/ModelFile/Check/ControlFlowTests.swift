import Testing

@testable import HearthModelFile

/// Loops and branches that call subgraphs: engines follow them recursively, so the check bounds them.
@Suite struct ControlFlowTests {
    /// Subgraphs of which number `n` calls those in `calls[n]`, one IF or WHILE for each pair.
    private func model(calling calls: [[(Int32, Int32)]], options: UInt8 = 93, code: Int32 = 119) -> TestModel {
        var model = TestModel()
        model.subgraphs = calls.map { pairs in
            TestModel.Subgraph(
                tensors: (0...pairs.count).map {
                    TestModel.Tensor(name: "t\($0)", type: code == 118 ? .bool : .float32)
                },
                inputs: [0],
                outputs: [Int32(pairs.count)],
                nodes: pairs.enumerated().map { index, pair in
                    TestModel.Node(
                        code: code, inputs: [Int32(index)], outputs: [Int32(index + 1)],
                        options: (options, [0: .integer(pair.0), 1: .integer(pair.1)]))
                })
        }
        return model
    }

    private func error(_ model: TestModel, _ limits: ModelLimits = ModelLimits()) -> ModelFileError? {
        #expect(throws: ModelFileError.self) { try model.file().checkForLoading(limits: limits) }
    }

    @Test func acceptsALoopAndABranch() throws {
        try model(calling: [[(1, 2)], [], []]).file().checkForLoading()
        try model(calling: [[(1, 2), (1, 2)], [(2, 2)], []], options: 92, code: 118).file().checkForLoading()
        #expect(
            try model(calling: [[(1, 2)], [], []]).file().graph.subgraphs[0].operators[0].calledSubgraphs == [1, 2])
    }

    @Test(
        arguments: [
            [[(0, 0)]], [[(1, 1)], [(0, 0)]], [[(1, 1)], [(2, 2)], [(1, 1)]], [[], [(1, 1)]],
        ] as [[[(Int32, Int32)]]])
    func refusesCycles(calls: [[(Int32, Int32)]]) {
        let error = error(model(calling: calls))
        #expect(error?.code == .malformed)
        #expect(error?.message.contains("calls itself") == true)
    }

    @Test func refusesALoopWithoutOptionsBecauseEnginesThenTakeSubgraphZero() {
        var model = TestModel()
        model.subgraphs[0].nodes[0].code = 119
        #expect(error(model)?.message.contains("calls itself") == true)
    }

    @Test(arguments: [-1, 3] as [Int32])
    func refusesSubgraphsThatDoNotExist(number: Int32) {
        let error = error(model(calling: [[(1, number)], [], []]))
        #expect(error?.code == .malformed)
        #expect(error?.message.contains("(WHILE) of subgraph 0 runs a subgraph that does not exist") == true)
    }

    @Test func depthIsLimited() throws {
        let chain = model(calling: [[(1, 1)], [(2, 2)], [(3, 3)], []])
        var limits = ModelLimits()
        limits.controlFlowDepth = 3
        try chain.file().checkForLoading(limits: limits)
        limits.controlFlowDepth = 2
        #expect(error(chain, limits)?.code == .tooLarge)
    }

    @Test func callsAreLimited() throws {
        // 2 calls of subgraph 1, each with 2 of subgraph 2.
        let tree = model(calling: [[(1, 1)], [(2, 2)], []])
        var limits = ModelLimits()
        limits.controlFlowCalls = 6
        try tree.file().checkForLoading(limits: limits)
        limits.controlFlowCalls = 5
        #expect(error(tree, limits)?.code == .tooLarge)
    }

    @Test func thousandsOfNestedSubgraphsDoNotOverflowTheStack() throws {
        let file = try model(calling: [[(1, 1)], []]).file()
        var graph = file.graph
        var link = graph.subgraphs[0]
        let last = graph.subgraphs[1]
        graph.subgraphs = (1...20_000).map { next in
            link.operators[0].calledSubgraphs = [next]
            return link
        }
        graph.subgraphs.append(last)
        let error = #expect(throws: ModelFileError.self) {
            try LoadingCheck(graph: graph, limits: ModelLimits(), bytes: file.bytes).run()
        }
        #expect(error?.code == .tooLarge)
    }
}
