import HearthModelFile
import Testing

/// Rules R8 to R10, R12 and R13, and the two numbers of an operator. Each failing model here crashed the engine before the rule.
@Suite struct OperatorRuleTests {
    private func model(_ node: TestModel.Node, outputs: Int32 = 1) -> TestModel {
        var model = TestModel()
        model.subgraphs[0].tensors = (0..<2 + outputs).map { TestModel.Tensor(name: "t\($0)") }
        model.subgraphs[0].inputs = [0, 1]
        model.subgraphs[0].outputs = Array(2..<2 + outputs)
        model.subgraphs[0].nodes = [node]
        return model
    }

    private func error(_ model: TestModel) -> ModelFileError? {
        #expect(throws: ModelFileError.self) { try model.file().checkForLoading() }
    }

    @Test(
        arguments: [
            (9, [0, 1, -1]), (3, [0, 1, -1]), (4, [0, 1, -1]), (67, [0, 1, 0, -1]), (32, [-1]),
        ] as [(Int32, [Int32])])
    func r8AcceptsMissingBiases(code: Int32, inputs: [Int32]) throws {
        try model(.init(code: code, inputs: inputs, outputs: [2])).file().checkForLoading()
    }

    @Test(
        arguments: [
            (0, "ADD", [0, -1]), (19, "RELU", [-1]), (22, "RESHAPE", [0, -1]), (2, "CONCATENATION", [0, 1, -1]),
            (9, "FULLY_CONNECTED", [0, -1]), (3, "CONV_2D", [-1, 0, 1]), (67, "TRANSPOSE_CONV", [0, 1, -1]),
        ] as [(Int32, String, [Int32])])
    func r8RefusesMissingOperands(code: Int32, name: String, inputs: [Int32]) {
        let error = error(model(.init(code: code, inputs: inputs, outputs: [2])))
        #expect(error?.code == .malformed)
        #expect(error?.message.contains("operator 0 (\(name)) of subgraph 0 lacks its input") == true)
    }

    @Test func r9SplitsSayIntoHowManyParts() throws {
        let split = { (code: Int32, type: UInt8, count: Int32) in
            model(
                .init(code: code, inputs: [0, 1, 0], outputs: [2, 3], options: (type, [0: .integer(count)])), outputs: 2
            )
        }
        try split(49, 35, 2).file().checkForLoading()
        try split(102, 79, 2).file().checkForLoading()
        for broken in [split(49, 35, 3), split(49, 28, 2), split(49, 79, 2), split(102, 35, 2)] {
            let error = error(broken)
            #expect(error?.code == .malformed)
            #expect(error?.message.contains("does not say into how many parts") == true)
        }
        #expect(error(model(.init(code: 49, inputs: [0, 1], outputs: [2])))?.code == .malformed)
    }

    @Test(
        arguments: [
            (158, [0], 1), (45, [0, 1, 0, 1], 1), (126, [0, 1], 1), (22, [0], 1), (9, [0, 1], 1), (67, [0, 1, 0], 1),
            (2, [0, 1, 0, 1, 0], 1), (88, [0], 3), (144, [0, 1], 0), (136, [], 1), (32, [], 0),
        ] as [(Int32, [Int32], Int32)])
    func r10AcceptsWhatOperatorsNeed(code: Int32, inputs: [Int32], outputs: Int32) throws {
        try counting(code, inputs, outputs).file().checkForLoading()
    }

    @Test(
        arguments: [
            (158, [0], 0, "(SIGN) of subgraph 0 has 1 inputs and 0 outputs; it needs 1 and 1"),
            (45, [0, 1], 1, "(STRIDED_SLICE) of subgraph 0 has 2 inputs and 1 outputs; it needs 4 and 1"),
            (65, [0, 1], 1, "(SLICE)"), (126, [0], 1, "(BATCH_MATMUL)"), (143, [0], 0, "(READ_VARIABLE)"),
            (144, [0], 0, "(ASSIGN_VARIABLE)"), (48, [0, 1], 1, "(TOPK_V2)"), (2, [], 1, "(CONCATENATION)"),
        ] as [(Int32, [Int32], Int32, String)])
    func r10RefusesOperatorsThatLackOperands(code: Int32, inputs: [Int32], outputs: Int32, text: String) {
        let error = error(counting(code, inputs, outputs))
        #expect(error?.code == .malformed)
        #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: [[1], [], [0, 3]] as [[Int32]]) func r12HandlesAreResources(shape: [Int32]) throws {
        var handle = counting(142, [], 1)
        handle.subgraphs[0].tensors[2] = .init(name: "handle", shape: shape, type: .resource)
        try handle.file().checkForLoading()
        handle.subgraphs[0].tensors[2].type = .int32
        let error = error(handle)
        #expect(error?.code == .malformed)
        #expect(error?.message.contains("(VAR_HANDLE) of subgraph 0 makes a handle, but tensor 2 'handle'") == true)
    }

    @Test(arguments: [1, 12, 17] as [Int32]) func r13PoolingWindowsCoverSomething(code: Int32) throws {
        let pooling = { (width: Int32, height: Int32) in
            model(
                .init(
                    code: code, inputs: [0], outputs: [2], options: (5, [3: .integer(width), 4: .integer(height)])))
        }
        try pooling(1, 2).file().checkForLoading()
        for (width, height) in [(0, 1), (1, 0), (1, .min), (-1, 1)] as [(Int32, Int32)] {
            let error = error(pooling(width, height))
            #expect(error?.code == .malformed)
            #expect(error?.message.contains("has a window of \(width) x \(height)") == true)
        }
    }

    private func counting(_ code: Int32, _ inputs: [Int32], _ outputs: Int32) -> TestModel {
        var model = model(.init(code: code, inputs: inputs, outputs: Array(2..<2 + outputs)), outputs: outputs)
        // The signature-less engine wants an output.
        if outputs == 0 { model.subgraphs[0].outputs = [0] }
        return model
    }

    @Test(arguments: [(41, 0), (0, 41), (41, 41), (127, 150)] as [(Int8, Int32)])
    func oldAndNewNumbersOfAnOperatorMayAgree(old: Int8, new: Int32) throws {
        var model = TestModel()
        model.subgraphs[0].nodes[0].code = new
        model.subgraphs[0].nodes[0].oldCode = old
        #expect(try model.file().graph.subgraphs[0].operators[0].builtinCode == max(Int(old), Int(new)))
    }

    @Test(arguments: [(41, 49), (49, 41), (126, 150)] as [(Int8, Int32)])
    func contradictoryNumbersOfAnOperatorAreRefused(old: Int8, new: Int32) {
        var model = TestModel()
        model.subgraphs[0].nodes[0].code = new
        model.subgraphs[0].nodes[0].oldCode = old
        let error = error(model)
        #expect(error?.code == .malformed)
        #expect(error?.message.contains("has two numbers") == true)
    }
}
