import HearthModelFile
import Testing

/// Tensors that could have more dimensions in a run than XNNPACK's array holds. Each such model here made the engine write
/// past the array.
@Suite struct RankBoundsTests {
    /// A model under construction: each operator takes the last tensor.
    private struct Chain {
        private(set) var model = TestModel()

        init(input shape: [Int32], _ type: ElementType = .float32) {
            model.subgraphs[0].tensors = [TestModel.Tensor(name: "x", shape: shape, type: type)]
            (model.subgraphs[0].inputs, model.subgraphs[0].outputs, model.subgraphs[0].nodes) = ([0], [0], [])
        }

        /// - Returns: The tensor's index.
        mutating func add(_ shape: [Int32], _ type: ElementType, _ values: [Int32]? = nil) -> Int32 {
            let count = Int32(model.subgraphs[0].tensors.count)
            model.subgraphs[0].tensors.append(
                TestModel.Tensor(
                    name: "t\(count)", shape: shape, type: type, data: values.map { $0.flatMap(\.littleEndianBytes) }))
            return count
        }

        mutating func list(_ values: Int32...) -> Int32 { add([Int32(values.count)], .int32, values) }

        /// - Parameter inputs: Those after the last tensor.
        mutating func node(
            _ code: Int32, _ inputs: [Int32] = [], states shape: [Int32],
            _ type: ElementType = .float32, options: (type: UInt8, table: [Int: FlatField])? = nil
        ) {
            let output = add(shape, type)
            let last = model.subgraphs[0].outputs[0]
            model.subgraphs[0].nodes.append(
                .init(code: code, inputs: [last] + inputs, outputs: [output], options: options))
            model.subgraphs[0].outputs = [output]
        }

        /// An empty signature says nothing about the input.
        mutating func signEmpty() { model.subgraphs[0].tensors[0].shapeSignature = [] }

        func obstacle(_ shape: [Int]? = nil) throws -> String? {
            let file = try model.file()
            try file.checkForLoading()
            return RankBounds(file, inputShapes: shape.map { [$0] }).tensorBeyondXNNPACK()
        }
    }

    private static let (relu, maximum, fill, gather, expand, squeeze): (Int32, Int32, Int32, Int32, Int32, Int32) = (
        19, 55, 94, 36, 70, 43
    )

    /// Numbers of sizes that the file states wrong.
    private func filled(by count: Int32) -> Chain {
        var chain = Chain(input: [count], .int32)
        chain.node(Self.maximum, [0], states: [2], .int32)
        let value = chain.add([], .float32, [1])
        chain.node(Self.fill, [value], states: [1, 1])
        chain.node(Self.relu, states: [1, 1])
        return chain
    }

    @Test func listsOfSizesAreAsLongAsTheirInputs() throws {
        #expect(try filled(by: 16).obstacle()?.contains("'t3'") == true)
        #expect(try filled(by: 7).obstacle() != nil)
        #expect(try filled(by: 6).obstacle() == nil)
        #expect(try filled(by: 2).obstacle([2]) == nil)
        #expect(try filled(by: 2).obstacle([7]) != nil, "after a resize")
    }

    @Test func operatorsThatAddDimensionsAreCounted() throws {
        for (rank, isBeyond) in [(5, false), (6, true)] {
            var chain = Chain(input: Array(repeating: 1, count: rank))
            let axis = chain.list(0)
            chain.node(Self.expand, [axis], states: [1, 1])
            chain.node(Self.relu, states: [1, 1])
            #expect(try (chain.obstacle() != nil) == isBeyond, "rank \(rank)")
            chain.signEmpty()
            #expect(try (chain.obstacle() != nil) == isBeyond, "rank \(rank), empty signature")
        }
        for (batch, isBeyond) in [(Int32(0), true), (1, false)] {
            var chain = Chain(input: [1, 1, 1, 1])
            let indices = chain.add([1, 1, 1, 1], .int32, [0])
            chain.node(
                Self.gather, [indices], states: [1, 1],
                options: (23, [0: .integer(Int32(1)), 1: .integer(batch)]))
            #expect(try (chain.obstacle() != nil) == isBeyond, "batch \(batch)")
        }
    }

    /// Otherwise ordinary models would run without XNNPACK.
    @Test func operatorsThatRemoveDimensionsAreCountedToo() throws {
        var chain = Chain(input: [1, 2, 2, 1])
        let axis = chain.list(0)
        let (begin, end, stride) = (chain.list(0, 0), chain.list(1, 2), chain.list(1, 1))
        for _ in 0..<3 {
            chain.node(Self.expand, [axis], states: [1, 1, 2, 2, 1])
            chain.node(Self.squeeze, states: [1, 2, 2, 1], options: (30, [0: .node(.integers([Int32(0)]))]))
            chain.node(Self.expand, [axis], states: [1, 1, 2, 2, 1])
            chain.node(
                45, [begin, end, stride], states: [1, 2, 2, 1], options: (32, [4: .integer(Int32(1))]))
            chain.node(Self.expand, [axis], states: [1, 1, 2, 2, 1])
            chain.node(40, [axis], states: [1, 2, 2, 1], options: (27, [0: .integer(UInt8(0))]))
        }
        #expect(try chain.obstacle() == nil)
        // A mean that keeps its dimensions removes none.
        for _ in 0..<3 {
            chain.node(Self.expand, [axis], states: [1, 1, 2, 2, 1])
            chain.node(40, [axis], states: [1, 2, 2, 1], options: (27, [0: .integer(UInt8(1))]))
        }
        #expect(try chain.obstacle() != nil)
    }

    @Test func whatTheFileStatesRightIsNoObstacle() throws {
        var chain = Chain(input: Array(repeating: 1, count: 7))
        chain.node(Self.relu, states: Array(repeating: 1, count: 7))
        #expect(try chain.obstacle() == nil, "XNNPACK itself leaves out what states more than six dimensions")
    }

    /// Each run adds a dimension to the variable.
    @Test func variablesGrowFromRunToRun() throws {
        for isGrowing in [false, true] {
            var model = TestModel()
            model.subgraphs[0].tensors = [
                TestModel.Tensor(name: "x", shape: [1]), TestModel.Tensor(name: "handle", shape: [1], type: .resource),
                TestModel.Tensor(name: "read", shape: [1]), TestModel.Tensor(name: "wider", shape: [1]),
                TestModel.Tensor(name: "axis", shape: [1], type: .int32, data: [0, 0, 0, 0]),
            ]
            (model.subgraphs[0].inputs, model.subgraphs[0].outputs) = ([0], [3])
            model.subgraphs[0].nodes = [
                .init(code: 142, inputs: [], outputs: [1]), .init(code: 144, inputs: [1, 0], outputs: []),
                .init(code: 143, inputs: [1], outputs: [2]), .init(code: Self.expand, inputs: [2, 4], outputs: [3]),
                .init(code: 144, inputs: [1, isGrowing ? 3 : 2], outputs: []),
            ]
            let obstacle = RankBounds(try model.file()).tensorBeyondXNNPACK()
            #expect((obstacle != nil) == isGrowing)
        }
    }
}
