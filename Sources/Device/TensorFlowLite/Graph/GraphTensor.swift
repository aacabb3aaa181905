import HearthModelFile

/// What the model file says about one input or output.
struct GraphTensor: Sendable {
    let name: String
    /// Its place in the subgraph: the same for an output that is also an input.
    let index: Int
    /// nil for types that an interpreter does not hold.
    let dataType: Tensor.DataType?
    /// The file's name for the type.
    let typeName: String
    let quantization: QuantizationParameters?
    let perChannelQuantization: PerChannelQuantization?
    /// What the file says; open dimensions are 1.
    let fileShape: Tensor.Shape

    init(_ tensor: ModelGraph.Tensor, index: Int) {
        name = tensor.name ?? ""
        self.index = index
        dataType = Tensor.DataType(tensor.type)
        typeName = tensor.type.description
        quantization = tensor.quantization.flatMap(QuantizationParameters.init)
        perChannelQuantization = tensor.quantization.flatMap(PerChannelQuantization.init)
        fileShape = Tensor.Shape(tensor.shape)
    }
}

extension GraphTensor {
    /// The type to reckon with before strings are known: each takes four bytes at least.
    var sizingType: Tensor.DataType {
        guard let dataType else { return .uInt8 }
        return dataType == .string ? .int32 : dataType
    }
}

extension Tensor.DataType {
    init?(_ type: ElementType) {
        switch type {
        case .bool: self = .bool
        case .uint8: self = .uInt8
        case .int16: self = .int16
        case .int32: self = .int32
        case .int64: self = .int64
        case .float16: self = .float16
        case .float32: self = .float32
        case .float64: self = .float64
        case .int8: self = .int8
        case .uint16: self = .uInt16
        case .uint32: self = .uInt32
        case .uint64: self = .uInt64
        case .int4: self = .int4
        case .complex64: self = .complex64
        case .complex128: self = .complex128
        case .string: self = .string
        default: return nil
        }
    }
}

extension QuantizationParameters {
    /// nil unless one scale, not zero, holds for the whole tensor.
    init?(_ quantization: ModelGraph.Quantization) {
        guard quantization.scales.count == 1, let scale = quantization.scales.first, scale != 0 else { return nil }
        self.init(scale: scale, zeroPoint: Int(quantization.zeroPoints.first ?? 0))
    }
}

extension PerChannelQuantization {
    /// nil unless there are several scales along one dimension.
    init?(_ quantization: ModelGraph.Quantization) {
        guard quantization.scales.count > 1, quantization.detailsKind == 0 else { return nil }
        self.init(
            scales: quantization.scales, zeroPoints: quantization.zeroPoints.map(Int.init),
            dimension: quantization.dimension)
    }
}
