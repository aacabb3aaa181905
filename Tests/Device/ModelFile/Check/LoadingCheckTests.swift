import HearthModelFile
import Testing

/// Each rule of the check before loading: a model that just passes beside one that does not.
@Suite struct LoadingCheckTests {
    typealias Tensor = TestModel.Tensor
    typealias Node = TestModel.Node

    private func passes(
        _ limits: ModelLimits = ModelLimits(), _ change: (inout TestModel) -> Void = { _ in },
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var model = TestModel()
        change(&model)
        #expect(throws: Never.self, sourceLocation: sourceLocation) {
            try model.file().checkForLoading(limits: limits)
        }
    }

    private func fails(
        _ code: ModelFileError.Code, _ text: String, _ limits: ModelLimits = ModelLimits(),
        sourceLocation: SourceLocation = #_sourceLocation, _ change: (inout TestModel) -> Void
    ) {
        var model = TestModel()
        change(&model)
        let error = #expect(throws: ModelFileError.self, sourceLocation: sourceLocation) {
            try model.file().checkForLoading(limits: limits)
        }
        #expect(error?.code == code, "\(error?.message ?? "")", sourceLocation: sourceLocation)
        #expect(error?.message.contains(text) == true, "\(error?.message ?? "")", sourceLocation: sourceLocation)
    }

    // MARK: R1, R2

    private static let signature = TestModel.Signature(inputs: [("in", 0)], outputs: [("out", 1)])

    @Test func r1SignatureNamesEveryInputAndOutputOnce() {
        passes { $0.signatures = [Self.signature] }
        fails(.malformed, "has no key") {
            $0.signatures = [Self.signature]
            $0.signatures[0].key = nil
        }
        fails(.malformed, "an input of signature 'serving_default' has no name") {
            $0.signatures = [.init(inputs: [(nil, 0)], outputs: [("out", 1)])]
        }
        fails(.malformed, "an input of signature 'a?b' has no name") {
            $0.signatures = [.init(inputs: [(nil, 0)], outputs: [("out", 1)])]
            // What a terminal or a log would obey.
            $0.signatures[0].key = "a\nb"
        }
        fails(.malformed, "the inputs of signature 'serving_default'") {
            $0.signatures = [.init(inputs: [], outputs: [("out", 1)])]
        }
        fails(.malformed, "the outputs of signature 'serving_default'") {
            $0.signatures = [.init(inputs: [("in", 0)], outputs: [("out", 0)])]
        }
        fails(.malformed, "two outputs with the name 'out'") {
            $0.subgraphs[0].outputs = [1, 0]
            $0.signatures = [.init(inputs: [("in", 0)], outputs: [("out", 1), ("out", 0)])]
        }
        fails(.malformed, "runs a subgraph that does not exist") {
            $0.signatures = [Self.signature]
            $0.signatures[0].subgraph = 1
        }
    }

    @Test func r1CountsATensorThatIsListedTwice() {
        passes {
            $0.subgraphs[0].outputs = [1, 1]
            $0.signatures = [.init(inputs: [("in", 0)], outputs: [("a", 1), ("b", 1)])]
        }
        fails(.malformed, "the outputs") {
            $0.subgraphs[0].outputs = [1, 0]
            $0.signatures = [.init(inputs: [("in", 0)], outputs: [("a", 1), ("b", 1)])]
        }
    }

    @Test func r2NamesAreDistinctWhereThereIsNoSignature() {
        let twoInputs = { (model: inout TestModel, name: String?) in
            model.subgraphs[0].tensors.append(Tensor(name: name))
            model.subgraphs[0].inputs = [0, 2]
        }
        passes { twoInputs(&$0, "z") }
        passes {
            twoInputs(&$0, nil)
            $0.subgraphs[0].tensors[0].name = nil
        }
        fails(.malformed, "two of its inputs have the name 'x'") { twoInputs(&$0, "x") }
        fails(.malformed, "two of its inputs have the name 'x?more'") { twoInputs(&$0, "x\0more") }
        passes {
            twoInputs(&$0, "x")
            $0.signatures = [.init(inputs: [("a", 0), ("b", 2)], outputs: [("out", 1)])]
        }
    }

    // MARK: R3

    /// From float32 to small integers.
    private static let quantize: Int32 = 114

    @Test(arguments: [1.2e-35, 1e-36, 0.5, 1e6] as [Float])
    func r3AcceptsPlausibleScales(scale: Float) {
        passes {
            $0.subgraphs[0].tensors[1] = .quantized("y", scale: scale)
            $0.subgraphs[0].nodes[0].code = Self.quantize
        }
    }

    @Test(arguments: [0, -0.5, .nan, .infinity, 9e-37, 1.1e6] as [Float])
    func r3RefusesAbsurdScales(scale: Float) {
        fails(.malformed, "tensor 1 'y' of subgraph 0 has a scale") {
            $0.subgraphs[0].tensors[1] = .quantized("y", scale: scale)
        }
    }

    @Test func r3ZeroPointsFitTheTypeAndTheScales() {
        passes {
            $0.subgraphs[0].tensors[1] = .quantized("y", zeroPoint: 255)
            $0.subgraphs[0].nodes[0].code = Self.quantize
        }
        fails(.malformed, "zero point outside the range of uint8") {
            $0.subgraphs[0].tensors[1] = .quantized("y", zeroPoint: 256)
        }
        fails(.malformed, "zero point outside the range of int8") {
            $0.subgraphs[0].tensors[1] = Tensor(type: .int8, scales: [1], zeroPoints: [-129])
        }
        fails(.malformed, "scales but no zero points") {
            $0.subgraphs[0].tensors[1] = Tensor(type: .int8, scales: [1])
        }
        fails(.malformed, "zero points but no scales") {
            $0.subgraphs[0].tensors[1] = Tensor(type: .int8, zeroPoints: [0])
        }
        fails(.malformed, "2 scales but 1 zero points") {
            $0.subgraphs[0].tensors[1] = Tensor(shape: [2], type: .int8, scales: [1, 1], zeroPoints: [0])
        }
    }

    @Test func r3DimensionExistsAndHasAsManyChannels() {
        let channels = { (shape: [Int32], dimension: Int32) in
            Tensor(shape: shape, type: .int8, scales: [1, 2], zeroPoints: [0, 0], dimension: dimension)
        }
        passes {
            // R22: of a constant.
            $0.subgraphs[0].tensors = [
                Tensor(name: "x", shape: [3, 2], data: [UInt8](repeating: 0, count: 24)), channels([3, 2], 1),
            ]
            $0.subgraphs[0].inputs = []
            $0.subgraphs[0].nodes[0].code = Self.quantize
        }
        fails(.malformed, "quantized along dimension 2") { $0.subgraphs[0].tensors[1] = channels([3, 2], 2) }
        fails(.malformed, "quantized along dimension -1") { $0.subgraphs[0].tensors[1] = channels([3, 2], -1) }
        fails(.malformed, "2 scales for 3 channels") { $0.subgraphs[0].tensors[1] = channels([3, 2], 0) }
        fails(.malformed, "scalar with several scales") { $0.subgraphs[0].tensors[1] = channels([], 0) }
        passes {
            $0.subgraphs[0].tensors[1] = Tensor(shape: [], type: .int8, scales: [1], zeroPoints: [0])
            $0.subgraphs[0].nodes[0].code = Self.quantize
        }
    }

    // MARK: R4

    @Test func r4OperatorsReadOnlyWhatIsThere() {
        let chain = { (model: inout TestModel, third: Tensor) in
            model.subgraphs[0].tensors.append(third)
            model.subgraphs[0].nodes = [Node(code: 0, inputs: [0, 2], outputs: [1])]
        }
        passes { chain(&$0, Tensor(name: "w", shape: [1], data: [0, 0, 128, 63])) }
        passes { chain(&$0, Tensor(name: "w", shape: [0])) }
        fails(.malformed, "operator 0 (ADD) of subgraph 0 reads tensor 2 'w' of subgraph 0 before") {
            chain(&$0, Tensor(name: "w"))
        }
        passes {
            chain(&$0, Tensor(name: "w"))
            $0.subgraphs[0].nodes.insert(Node(code: 19, inputs: [0], outputs: [2]), at: 0)
        }
        fails(.malformed, "before anything produces it") {
            chain(&$0, Tensor(name: "w"))
            $0.subgraphs[0].nodes.append(Node(code: 19, inputs: [0], outputs: [2]))
        }
    }

    @Test func r4EveryOutputIsProducedOnce() {
        passes { $0.subgraphs[0].outputs = [0] }
        passes {
            $0.subgraphs[0].tensors[1].data = [UInt8](repeating: 0, count: 16)
            $0.subgraphs[0].nodes = []
        }
        fails(.malformed, "nothing produces the output tensor 1 'y'") { $0.subgraphs[0].nodes = [] }
        fails(.malformed, "operator 1 (RELU) of subgraph 0 overwrites tensor 1 'y'") {
            $0.subgraphs[0].nodes.append($0.subgraphs[0].nodes[0])
        }
        fails(.malformed, "overwrites tensor 1") {
            $0.subgraphs[0].tensors[1].data = [UInt8](repeating: 0, count: 16)
        }
        fails(.malformed, "overwrites tensor 0") { $0.subgraphs[0].nodes[0].outputs = [0] }
    }

    // MARK: R5, R6, R7

    @Test func r5ArithmeticOnSmallIntegersNeedsScales() {
        passes { $0.subgraphs[0].tensors = [.quantized("x"), .quantized("y")] }
        fails(.malformed, "operator 0 (RELU) of subgraph 0 calculates with tensor 1 'y'") {
            $0.subgraphs[0].tensors = [.quantized("x"), Tensor(name: "y", type: .uint8)]
        }
        // Moving bytes about is no arithmetic.
        passes {
            $0.subgraphs[0].tensors = [Tensor(name: "x", type: .uint8), Tensor(name: "y", type: .uint8)]
            $0.subgraphs[0].nodes[0].code = 22
        }
        // Block-wise scales are scales.
        passes {
            $0.subgraphs[0].tensors += [
                Tensor(name: "w", type: .int8, data: [0, 0, 0, 0], details: 2, blocks: (scales: 3, size: 4)),
                Tensor(name: "scales", shape: [1], type: .float16, data: [0, 60]),
            ]
            $0.subgraphs[0].nodes = [Node(code: 9, inputs: [0, 2], outputs: [1])]
        }
    }

    @Test(arguments: [0, 18, 41, 42, 55, 57, 99] as [Int32])
    func r6ElementWiseOperandsAllHaveScalesOrAreAllWide(code: Int32) {
        let add = { (model: inout TestModel, tensors: [Tensor]) in
            model.subgraphs[0] = .init(
                tensors: tensors, inputs: [0, 1], outputs: [2],
                nodes: [Node(code: code, inputs: [0, 1], outputs: [2])])
        }
        passes { add(&$0, [Tensor(name: "a"), Tensor(name: "b"), Tensor(name: "c")]) }
        passes { add(&$0, [.quantized("a"), .quantized("b"), .quantized("c")]) }
        fails(.malformed, "calculates with tensor 1 'b'") {
            add(&$0, [.quantized("a"), Tensor(name: "b"), .quantized("c")])
        }
    }

    @Test func r7ThereIsASubgraph() {
        fails(.malformed, "it has no subgraph") { $0.subgraphs = [] }
    }

    // MARK: Indices, shapes, sizes

    @Test func indicesAreInRange() {
        fails(.malformed, "input or output that is not one of its tensors") { $0.subgraphs[0].inputs = [2] }
        fails(.malformed, "input or output that is not one of its tensors") { $0.subgraphs[0].outputs = [-1] }
        fails(.malformed, "(RELU) of subgraph 0 uses a tensor that does not exist") {
            $0.subgraphs[0].nodes[0].inputs = [-2]
        }
        fails(.malformed, "uses a tensor that does not exist") { $0.subgraphs[0].nodes[0].outputs = [-1] }
        fails(.malformed, "uses a tensor that does not exist") { $0.subgraphs[0].nodes[0].intermediates = [7] }
    }

    @Test func shapesAreCounts() {
        passes {
            $0.subgraphs[0].tensors[0].shape = [1, 4]
            $0.subgraphs[0].tensors[0].shapeSignature = [-1, 4]
        }
        fails(.malformed, "tensor 0 'x' of subgraph 0 has a negative dimension") {
            $0.subgraphs[0].tensors[0].shape = [-2]
        }
        fails(.malformed, "different rank") { $0.subgraphs[0].tensors[0].shapeSignature = [4] }
    }

    @Test func rankOfEightIsTheMost() {
        passes { $0.subgraphs[0].tensors[0].shape = [Int32](repeating: 1, count: 8) }
        fails(.unsupported, "9 dimensions") { $0.subgraphs[0].tensors[0].shape = [Int32](repeating: 1, count: 9) }
    }

    @Test func totalSizeIsCapped() {
        // Two tensors of four floats.
        var limits = ModelLimits()
        limits.totalTensorBytes = 32
        passes(limits)
        limits.totalTensorBytes = 31
        fails(.tooLarge, "need more than 31 bytes", limits) { _ in }
        let huge = Int32.max
        fails(.tooLarge, "the first one beyond that is tensor 0 'x'") {
            $0.subgraphs[0].tensors[0].shape = [huge, huge, huge, huge]
        }
        passes { $0.subgraphs[0].tensors[0].shape = [0, huge, huge] }
    }

    // MARK: What the engine refuses

    /// The interpreter keeps state in the engine's place, and names the operators whose state it cannot keep.
    @Test func modelsWithStatePass() {
        passes {
            $0.subgraphs[0].nodes[0].code = 27
            $0.subgraphs[0].tensors.append(Tensor(name: "weights", data: [0, 0, 0, 0]))
            $0.subgraphs[0].tensors.append(Tensor(name: "state", isVariable: true))
            $0.subgraphs[0].nodes[0].inputs = [0, 2, 2, -1, 3]
            $0.subgraphs[0].nodes[0].mutating = [0, 0, 0, 0, 1]
        }
        passes { $0.subgraphs[0].nodes[0].mutating = [1] }
        passes { $0.subgraphs[0].nodes[0].intermediates = [0] }
        passes { $0.subgraphs[0].tensors.append(Tensor(name: "state", isVariable: true)) }
    }

    @Test func newerThingsAreUnsupportedNotMalformed() {
        passes {
            $0.subgraphs[0].tensors[0].type = ElementType(rawValue: 22)
            $0.subgraphs[0].nodes[0].code = 53
        }
        fails(.unsupported, "unknown type 23") { $0.subgraphs[0].tensors[0].type = ElementType(rawValue: 23) }
        fails(.unsupported, "operator 0 (operator 210) of subgraph 0 is newer") { $0.subgraphs[0].nodes[0].code = 210 }
        fails(.unsupported, "is stored in another file") { $0.subgraphs[0].tensors[0].externalBuffer = 1 }
        fails(.unsupported, "block-wise") {
            $0.subgraphs[0].tensors.append(Tensor(name: "w", type: .int8, data: [0, 0, 0, 0], details: 2))
            $0.subgraphs[0].nodes = [Node(code: 0, inputs: [2, 2], outputs: [1])]
            $0.subgraphs[0].tensors[1] = .quantized("y")
        }
    }

    @Test func damageGoesBeforeLackOfSupport() {
        fails(.malformed, "absurd") {
            $0.subgraphs[0].nodes[0].code = 210
            $0.subgraphs[0].tensors[1] = .quantized("y", scale: .nan)
        }
    }
}
