import Testing

@testable import HearthModelFile

/// Rules R20 to R22. With each failing model here the engine read or wrote past the end of a list, or followed a wrong
/// pointer, before the rule, unless a test says something else.
@Suite struct ScaleRuleTests {
    private typealias Tensor = TestModel.Tensor

    private func error(_ model: TestModel) -> ModelFileError? {
        #expect(throws: ModelFileError.self) { try model.file().checkForLoading() }
    }

    /// Weights with as many scales along a dimension.
    private static func weights(
        _ shape: [Int32], scales count: Int, along dimension: Int32, type: ElementType = .int8, zeroPoint: Int64 = 0
    ) -> Tensor {
        let bits = shape.reduce(type.bitWidth) { $0 * Int($1) }
        return Tensor(
            name: "weights", shape: shape, type: type, data: [UInt8](repeating: 1, count: bits / 8),
            scales: .init(repeating: 0.5, count: count), zeroPoints: .init(repeating: zeroPoint, count: count),
            dimension: dimension)
    }

    private static let steps: [Int: FlatField] = [1: .integer(Int32(1)), 2: .integer(Int32(1))]

    private enum Kind: Int32, CaseIterable {
        case convolution = 3, depthwise = 4, connection = 9, transposed = 67, product = 126

        /// The shape of the weights, and the dimension with the channels.
        var shape: [Int32] {
            switch self {
            case .convolution, .transposed: [6, 3, 3, 4]
            case .depthwise: [1, 3, 3, 4]
            case .connection: [6, 4]
            case .product: [4, 6]
            }
        }
        var dimension: Int32 {
            switch self {
            case .convolution, .connection, .transposed: 0
            case .depthwise: 3
            case .product: 1
            }
        }
    }

    private func model(
        _ kind: Kind, _ weights: Tensor, input: [Int32]? = nil, type: ElementType = .float32, isTransposed: Bool = false
    ) -> TestModel {
        let isImage = kind.shape.count == 4
        let scales: [Float] = type == .float32 ? [] : [0.5]
        let values = Tensor(
            name: "x", shape: input ?? (isImage ? [1, 5, 5, 4] : [2, 4]), type: type, scales: scales,
            zeroPoints: scales.map { _ in 0 })
        var result = values
        result.name = "y"
        result.shape = isImage ? [1, 5, 5, kind == .depthwise ? 4 : 6] : [2, 6]
        let size = Tensor(name: "size", shape: [4], type: .int32, data: [1, 5, 5, 6].flatMap { [$0, 0, 0, 0] })
        var model = TestModel()
        model.subgraphs[0].tensors = [values, result, weights, size]
        let options: (UInt8, [Int: FlatField]) =
            switch kind {
            case .convolution: (1, Self.steps)
            case .depthwise: (2, Self.steps)
            case .transposed: (49, Self.steps)
            case .connection: (8, [:])
            case .product: (101, [1: .integer(UInt8(isTransposed ? 1 : 0))])
            }
        let inputs: [Int32] =
            switch kind {
            case .transposed: [3, 2, 0]
            case .product: [0, 2]
            default: [0, 2, -1]
            }
        model.subgraphs[0].nodes = [.init(code: kind.rawValue, inputs: inputs, outputs: [1], options: options)]
        return model
    }

    // MARK: Channels

    @Test(arguments: Kind.allCases.map(\.rawValue))
    func r20ScalesOfWeightsAreThoseOfTheChannels(code: Int32) throws {
        let kind = try #require(Kind(rawValue: code))
        for dimension in Int32(0)..<Int32(kind.shape.count) where kind.shape[Int(dimension)] > 1 {
            let model = model(
                kind, Self.weights(kind.shape, scales: Int(kind.shape[Int(dimension)]), along: dimension))
            if dimension == kind.dimension {
                try model.file().checkForLoading()
                continue
            }
            let error = error(model)
            #expect(error?.code == .unsupported)
            #expect(
                error?.message.contains(
                    "has weights with scales along dimension \(dimension), not along its channels "
                        + "(dimension \(kind.dimension))") == true, "\(error?.message ?? "")")
        }
    }

    /// One scale is one for all, whatever dimension the file states for it.
    @Test(arguments: Kind.allCases.map(\.rawValue)) func r20AcceptsOneScale(code: Int32) throws {
        let kind = try #require(Kind(rawValue: code))
        for dimension in kind.shape.indices {
            try model(kind, Self.weights(kind.shape, scales: 1, along: Int32(dimension))).file().checkForLoading()
        }
    }

    @Test func r20KnowsWhichSideOfAProductIsTransposed() throws {
        let weights = { Self.weights([6, 4], scales: $0 == 0 ? 6 : 4, along: $0) }
        try model(.product, weights(0), isTransposed: true).file().checkForLoading()
        #expect(error(model(.product, weights(1), isTransposed: true))?.code == .unsupported)
    }

    /// The engine wrote past the end of the list of these scales.
    @Test func r20RefusesManyScalesOfInt4Weights() {
        let weights = Self.weights([2, 64], scales: 64, along: 1, type: .int4)
        #expect(error(model(.connection, weights, input: [2, 64]))?.code == .unsupported)
    }

    /// Kernels of integers compare the dimensions themselves.
    @Test func r20LeavesIntegersAlone() throws {
        try model(.connection, Self.weights([6, 4], scales: 4, along: 1), type: .int8).file().checkForLoading()
    }

    /// The number of scales is that of the dimension.
    @Test(arguments: [2, 3, 5, 16])
    func r3RefusesListsOfAnotherLength(count: Int) {
        let error = error(model(.depthwise, Self.weights([1, 3, 3, 4], scales: count, along: 3)))
        #expect(error?.code == .malformed)
        #expect(error?.message.contains("has \(count) scales for 4 channels") == true, "\(error?.message ?? "")")
    }

    /// The engine would ignore it and give wrong results.
    @Test(arguments: [Kind.convolution.rawValue, Kind.depthwise.rawValue, Kind.transposed.rawValue])
    func r20RefusesZeroPointsOfWeights(code: Int32) throws {
        let kind = try #require(Kind(rawValue: code))
        let model = model(kind, Self.weights(kind.shape, scales: 1, along: 0, zeroPoint: 3))
        #expect(error(model)?.message.contains("by weights with a zero point") == true)
    }

    @Test func r20RefusesOneScaleOfComputedWeights() throws {
        var computed = Self.weights([1, 3, 3, 4], scales: 1, along: 0)
        computed.data = nil
        var model = model(.depthwise, computed)
        model.subgraphs[0].inputs = [0, 2]
        #expect(error(model)?.message.contains("one scale for all channels of weights that are not a constant") == true)
        (computed.scales, computed.zeroPoints, computed.dimension) = ([1, 2, 3, 4], [0, 0, 0, 0], 3)
        model.subgraphs[0].tensors[2] = computed
        try model.file().checkForLoading()
    }

    @Test func refusesScalesAlongSeveralDimensions() {
        var weights = Self.weights([1, 3, 3, 4], scales: 1, along: 0)
        weights.details = 3
        #expect(error(model(.depthwise, weights))?.message.contains("has scales along several dimensions") == true)
    }

    // MARK: Blocks

    /// Weights of 6 x 4 with 12 blocks.
    private func blockwise(_ scales: Int32 = 3, size: Int32 = 2, _ list: Tensor = list(12)) -> TestModel {
        var weights = Self.weights([6, 4], scales: 0, along: 0, type: .int4)
        weights.details = 2
        weights.blocks = (scales, size)
        var model = model(.connection, weights)
        model.subgraphs[0].tensors[3] = list
        return model
    }

    private static func list(_ count: Int32, _ type: ElementType = .float16) -> Tensor {
        Tensor(
            name: "scales", shape: [count], type: type,
            data: [UInt8](repeating: 60, count: Int(count) * type.bitWidth / 8))
    }

    @Test func r21BlocksHaveAConstantScaleEach() throws {
        try blockwise().file().checkForLoading()
        try blockwise(size: 4, Self.list(6)).file().checkForLoading()
        var computed = Self.list(12)
        computed.data = nil
        for model in [
            blockwise(4), blockwise(-1), blockwise(1), blockwise(size: 0), blockwise(size: -2), blockwise(size: 3),
            blockwise(3, size: 2, Self.list(11)), blockwise(3, size: 2, Self.list(13)),
            blockwise(3, size: 2, Self.list(12, .float32)), blockwise(3, size: 2, computed),
        ] {
            let error = error(model)
            #expect(error?.code == .malformed)
            #expect(error?.message.contains("has no constant with a float16 scale for each of its blocks") == true)
        }
    }

    // MARK: Constants

    /// QUANTIZE is 114, DEQUANTIZE is 6.
    private func conversion(_ code: Int32, isConstant: Bool, shape: [Int32] = [1, 4]) -> TestModel {
        var floats = Tensor(name: "floats", shape: shape)
        var integers = Self.weights([1, 4], scales: 4, along: 1)
        integers.data = nil
        if isConstant {
            if code == 6 { integers.data = [1, 2, 3, 4] } else { floats.data = [UInt8](repeating: 0, count: 16) }
        }
        var model = TestModel()
        model.subgraphs[0].tensors = code == 6 ? [integers, floats] : [floats, integers]
        model.subgraphs[0].inputs = isConstant ? [] : [0]
        model.subgraphs[0].nodes[0].code = code
        return model
    }

    /// The caller may give an input another shape.
    @Test(arguments: [6, 114] as [Int32]) func r22SeveralScalesBelongToConstants(code: Int32) throws {
        try conversion(code, isConstant: true).file().checkForLoading()
        let error = error(conversion(code, isConstant: false))
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains("several scales for a tensor that is not a constant") == true)
    }

    @Test func r22FollowsConstantsThatAreQuantizedInTheRun() throws {
        var model = conversion(114, isConstant: true)
        model.subgraphs[0].tensors.append(Tensor(name: "back"))
        model.subgraphs[0].nodes.append(.init(code: 6, inputs: [1], outputs: [2]))
        model.subgraphs[0].outputs = [2]
        try model.file().checkForLoading()
        model.subgraphs[0].tensors[0].shape = [2, 2]
        #expect(error(model)?.code == .unsupported)
    }
}
