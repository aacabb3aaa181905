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
            _ type: ElementType = .float32, options: (type: UInt8, table: [Int: FlatField])? = nil,
            custom: String? = nil
        ) {
            let output = add(shape, type)
            let last = model.subgraphs[0].outputs[0]
            model.subgraphs[0].nodes.append(
                .init(code: code, custom: custom, inputs: [last] + inputs, outputs: [output], options: options))
            model.subgraphs[0].outputs = [output]
        }

        /// An empty signature says nothing about the input.
        mutating func sign(_ signature: [Int32]) { model.subgraphs[0].tensors[0].shapeSignature = signature }

        /// Makes tensors further inputs.
        mutating func give(_ tensors: [Int32]) { model.subgraphs[0].inputs += tensors }

        func obstacle(_ shape: [Int]? = nil) throws -> String? {
            let file = try model.file()
            try file.checkForLoading()
            return RankBounds(file, inputShapes: shape.map { [0: [$0]] } ?? [:]).tensorBeyondXNNPACK()
        }
    }

    private static let (shape, stridedSlice): (Int32, Int32) = (77, 45)
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
        var signed = filled(by: 16)
        signed.sign([2])
        #expect(try signed.obstacle() != nil, "the engine takes the shape, whatever the signature says")
    }

    /// Only constants say which part of a list of sizes is taken.
    @Test(
        arguments: [
            // Begin, end and stride, their masks, and how many of 16 sizes are left.
            ([0, 6, 1], (0, 0), 6), ([0, 7, 1], (0, 0), 7), ([-6, 0, 1], (0, 1), 6), ([-9, -2, 1], (0, 0), 7),
            ([3, 14, 2], (0, 0), 6), ([9, 6, 1], (1, 0), 6), ([1, 0, 1], (0, 1), 9), ([0, -9, 1], (0, 0), 9),
            ([5, 0, -1], (0, 0), 9),
        ] as [([Int32], (Int32, Int32), Int)])
    func aPartOfAListOfSizes(numbers: [Int32], masks: (Int32, Int32), count: Int) throws {
        for isConstant in [true, false] {
            var chain = Chain(input: [16], .int32)
            let places = numbers.map { isConstant ? chain.list($0) : chain.add([1], .int32) }
            if !isConstant { chain.give(places) }
            chain.node(
                Self.stridedSlice, places, states: [2], .int32,
                options: (32, [0: .integer(masks.0), 1: .integer(masks.1)]))
            let value = chain.add([], .float32, [1])
            chain.node(Self.fill, [value], states: [1, 1])
            chain.node(Self.relu, states: [1, 1])
            #expect(try (chain.obstacle() != nil) == (count > 6 || !isConstant), "constant: \(isConstant)")
        }
    }

    @Test func shapesThatAreCutAndPutTogetherAreNoLongerThanTheirParts() throws {
        for (size, isBeyond) in [(Int32(1), false), (4, true)] {
            var chain = Chain(input: [1, 7, 7, 64])
            chain.node(Self.shape, states: [4], .int32, options: (55, [0: .integer(Int8(2))]))
            let (begin, count) = (chain.list(0), chain.list(size))
            chain.node(65, [begin, count], states: [size], .int32)
            let rest = chain.list(7, 7, 64)
            chain.node(2, [rest], states: [size + 3], .int32, options: (10, [:]))
            let value = chain.add([], .float32, [1])
            chain.node(Self.fill, [value], states: [1, 7, 7, 64])
            chain.node(Self.relu, states: [1, 7, 7, 64])
            #expect(try (chain.obstacle() != nil) == isBeyond)
        }
    }

    /// Nobody knows how many dimensions are left of more than the file can state.
    @Test func dimensionsThatNobodyCountsAreNotTakenAway() throws {
        var chain = Chain(input: [16], .int32)
        chain.node(Self.maximum, [0], states: [2], .int32)
        let value = chain.add([], .float32, [1])
        chain.node(Self.fill, [value], states: [1, 1, 1, 1, 1, 1, 1, 1])
        let axes = chain.list(0, 1, 2)
        chain.node(74, [axes], states: [1, 1, 1, 1, 1], options: (27, [0: .integer(UInt8(0))]))
        chain.node(Self.relu, states: [1, 1, 1, 1, 1])
        #expect(try chain.obstacle() != nil)
    }

    /// An index without numbers names no dimension, so each place has all of them.
    @Test func indicesMayBeEmpty() throws {
        for isConstant in [true, false] {
            var chain = Chain(input: [1, 1, 1, 1])
            let indices = chain.add([1, 1, 1], .int32, isConstant ? [0] : nil)
            if !isConstant { chain.give([indices]) }
            chain.node(107, [indices], states: [1, 1, 1, 1, 1])
            chain.node(Self.expand, [chain.list(0)], states: [1, 1, 1, 1, 1, 1])
            chain.node(Self.relu, states: [1, 1, 1, 1, 1, 1])
            #expect(try (chain.obstacle() != nil) != isConstant)
        }
    }

    /// Kernels of custom operators may give their results other shapes than the file states.
    @Test func customOperatorsGiveUpToThreeDimensions() throws {
        for (count, isBeyond) in [(3, false), (4, true)] {
            var chain = Chain(input: [1])
            chain.node(32, states: [1], custom: "App")
            let axis = chain.list(0)
            for _ in 0..<count { chain.node(Self.expand, [axis], states: [1, 1]) }
            chain.node(Self.relu, states: [1, 1])
            #expect(try (chain.obstacle() != nil) == isBeyond)
        }
    }

    @Test func operatorsThatAddDimensionsAreCounted() throws {
        for (rank, isBeyond) in [(5, false), (6, true)] {
            var chain = Chain(input: Array(repeating: 1, count: rank))
            let axis = chain.list(0)
            chain.node(Self.expand, [axis], states: [1, 1])
            chain.node(Self.relu, states: [1, 1])
            #expect(try (chain.obstacle() != nil) == isBeyond, "rank \(rank)")
            chain.sign([])
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
