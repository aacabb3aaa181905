import HearthModelFile
import Testing

/// Rule R17. Each failing model here crashed the engine before the rule, or read memory that is not its own.
@Suite struct SparsityRuleTests {
    /// A matrix of 2 x 4 with the values 1 at (0, 1), 2 at (1, 0) and 3 at (1, 3); tests break one thing at a time.
    private struct Matrix {
        var shape: [Int32] = [2, 4]
        var order: [Int32]? = [0, 1]
        var blocks: [Int32] = []
        var rows: Int32 = 2
        /// The kind of the second level: 1 is compressed.
        var kind: Int8 = 1
        var segments: FlatField? = list([0, 1, 3] as [Int32])
        var indices: FlatField? = list([1, 0, 3] as [Int32])
        /// The kind of the lists: of 4, 2 or 1 bytes.
        var lists: UInt8 = 1
        var block: Int32? = nil
        var values = 3
        var levelCount = 2
        var result: [Int32] = [2, 4]
        var code: Int32 = 124

        func model() -> TestModel {
            var compressed: [Int: FlatField] = [0: .integer(kind), 1: .integer(Int32(4))]
            if let segments { compressed.merge([2: .integer(lists), 3: segments]) { $1 } }
            if let indices { compressed.merge([4: .integer(lists), 5: indices]) { $1 } }
            var levels = [[0: .integer(Int8(0)), 1: .integer(rows)], compressed]
            if let block { levels.append([0: .integer(Int8(0)), 1: .integer(block)]) }
            var sparsity: [Int: FlatField] = [
                1: .node(.integers(blocks)), 2: .tables(Array(levels.prefix(levelCount + blocks.count))),
            ]
            sparsity[0] = order.map { .node(.integers($0)) }
            let weights = TestModel.Tensor(
                name: "weights", shape: shape, data: [UInt8](repeating: 0, count: 4 * values), sparsity: sparsity)
            var model = TestModel()
            let others = code == 124 ? [] : [TestModel.Tensor(name: "x", shape: [2, 4])]
            model.subgraphs[0].tensors = [weights] + others + [TestModel.Tensor(name: "y", shape: result)]
            model.subgraphs[0].inputs = others.isEmpty ? [] : [1]
            model.subgraphs[0].outputs = [Int32(others.count + 1)]
            model.subgraphs[0].nodes = [
                .init(
                    code: code, inputs: code == 124 ? [0] : code == 9 ? [1, 0] : [0, 1],
                    outputs: [Int32(others.count + 1)])
            ]
            return model
        }

        func error() -> ModelFileError? {
            #expect(throws: ModelFileError.self) { try model().file().checkForLoading() }
        }
    }

    private static func list(_ numbers: [some FixedWidthInteger]) -> FlatField {
        .node(.table([0: .node(.integers(numbers))]))
    }

    private func with(_ change: (inout Matrix) -> Void) -> Matrix {
        var matrix = Matrix()
        change(&matrix)
        return matrix
    }

    /// Three blocks of 1 x 2.
    private static func makeBlocked(_ matrix: inout Matrix) {
        (matrix.order, matrix.blocks, matrix.block, matrix.values) = ([0, 1, 2], [1], 2, 6)
        matrix.indices = list([1, 0, 1] as [Int32])
    }

    @Test func acceptsSparseConstantsThatFitTheirShape() throws {
        for matrix in [
            Matrix(), with(Self.makeBlocked), with { $0.values = 4 },
            with {
                ($0.segments, $0.indices, $0.lists) = (
                    Self.list([0, 1, 3] as [UInt16]), Self.list([1, 0, 3] as [UInt16]), 2
                )
            },
            with {
                ($0.segments, $0.indices, $0.lists) = (
                    Self.list([0, 1, 3] as [UInt8]), Self.list([1, 0, 3] as [UInt8]), 3
                )
            },
            // Column by column: 2 values in the first of 4 columns.
            with {
                ($0.order, $0.rows, $0.segments, $0.indices) = (
                    [1, 0], 4, Self.list([0, 2, 2, 2, 2] as [Int32]), Self.list([0, 1] as [Int32])
                )
            },
        ] {
            try matrix.model().file().checkForLoading()
        }
    }

    @Test func readsHowValuesLie() throws {
        let sparsity = try #require(try with(Self.makeBlocked).model().file().graph.subgraphs[0].tensors[0].sparsity)
        #expect(sparsity.traversalOrder == [0, 1, 2])
        #expect(sparsity.blockMap == [1])
        #expect(sparsity.levels?.count == 3)
        #expect(sparsity.levels?[0] == .dense(2))
        guard case .compressed(let segments, let indices) = sparsity.levels?[1] else {
            Issue.record("the second level is not compressed")
            return
        }
        #expect(segments.count == 3 && indices.count == 3)
    }

    @Test func refusesLevelsThatDoNotFitTheShape() {
        let broken: [(String, Matrix)] = [
            ("another shape", with { ($0.shape, $0.result) = ([1, 1, 1], [1, 1, 1]) }),
            ("no order", with { $0.order = nil }), ("an order too short", with { $0.order = [0] }),
            ("an order twice", with { $0.order = [0, 0] }), ("an order beyond", with { $0.order = [0, 2] }),
            ("a negative order", with { $0.order = [0, -1] }), ("too few levels", with { $0.levelCount = 1 }),
            ("no levels", with { $0.levelCount = 0 }), ("too few rows", with { $0.rows = 1 }),
            ("too many rows", with { $0.rows = 3 }), ("negative rows", with { $0.rows = -2 }),
            ("an unknown kind", with { $0.kind = 2 }), ("no segments", with { $0.segments = nil }),
            ("no indices", with { $0.indices = nil }), ("an unknown kind of list", with { $0.lists = 4 }),
            ("a segment too few", with { $0.segments = Self.list([0, 3] as [Int32]) }),
            ("a segment too many", with { $0.segments = Self.list([0, 1, 3, 3] as [Int32]) }),
            ("segments that go back", with { $0.segments = Self.list([0, 4, 3] as [Int32]) }),
            ("a negative segment", with { $0.segments = Self.list([-1, 1, 3] as [Int32]) }),
            ("segments beyond the indices", with { $0.segments = Self.list([0, 1, 4] as [Int32]) }),
            ("an index beyond", with { $0.indices = Self.list([1, 0, 4] as [Int32]) }),
            ("a negative index", with { $0.indices = Self.list([1, -1, 3] as [Int32]) }),
        ]
        for (what, matrix) in broken {
            let error = matrix.error()
            #expect(error?.code == .malformed, "\(what)")
            #expect(
                error?.message.contains("'weights' of subgraph 0 has sparsity that does not match its shape") == true,
                "\(what)")
        }
    }

    @Test func refusesBlocksThatDoNotFitTheShape() {
        let changes: [(String, (inout Matrix) -> Void)] = [
            ("a block of nothing", { $0.block = 0 }), ("a negative block", { $0.block = -2 }),
            ("a block too large for the indices", { $0.block = 4 }), ("a block of no dimension", { $0.blocks = [2] }),
            ("a block of a negative dimension", { $0.blocks = [-1] }),
            ("blocks before rows", { $0.order = [2, 0, 1] }),
            ("no level for the block", { $0.levelCount = 1 }),
        ]
        for (what, change) in changes {
            let error = with {
                Self.makeBlocked(&$0)
                change(&$0)
            }.error()
            #expect(error?.code == .malformed, "\(what)")
        }
    }

    @Test func refusesFewerValuesThanTheLevelsCount() {
        for matrix in [
            with { $0.values = 2 },
            with {
                Self.makeBlocked(&$0)
                $0.values = 5
            },
        ] {
            let error = matrix.error()
            #expect(error?.code == .malformed)
            #expect(error?.message.contains("'weights' of subgraph 0 has fewer values than") == true)
        }
    }

    @Test func onlyDensifyAndOperatorsOfAppsReadSparseConstants() throws {
        for code in [0, 9] as [Int32] {
            let error = with { $0.code = code }.error()
            #expect(error?.code == .unsupported)
            #expect(error?.message.contains("cannot use the sparse tensor 0 'weights'") == true)
        }
        var foreign = with { $0.code = 32 }.model()
        foreign.subgraphs[0].nodes[0].custom = "Other"
        try foreign.file().checkForLoading()
        var model = Matrix().model()
        model.subgraphs[0].outputs.append(0)
        let error = #expect(throws: ModelFileError.self) { try model.file().checkForLoading() }
        #expect(error?.message.contains("the output tensor 0 'weights' of subgraph 0 is a sparse constant") == true)
    }

    @Test func densifyGivesTheShapeThatItTakes() {
        let error = with { $0.result = [4, 2] }.error()
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains("(DENSIFY) of subgraph 0 cannot use the sparse") == true)
    }
}
