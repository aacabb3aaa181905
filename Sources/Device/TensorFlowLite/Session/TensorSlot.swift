import HearthModelFile

/// One input or output of a session: its description, its current shape, and its memory after allocation.
struct TensorSlot {
    let tensor: GraphTensor
    var shape: Tensor.Shape
    /// The engine's buffer. nil before allocation, and always for tensors whose type has no ``Tensor/DataType``.
    var buffer: TensorBuffer?
    /// Holds the contents instead of the buffer, for outputs whose size depends on data.
    var sink: OutputSink?

    /// The tensor's bytes in place; nil before there are any, or when their number is unknown.
    var contents: UnsafeMutableRawBufferPointer? {
        if let sink {
            guard sink.shape != nil, let memory = sink.memory else { return nil }
            return UnsafeMutableRawBufferPointer(start: memory.start, count: sink.byteCount)
        }
        guard let buffer, let byteCount, byteCount <= buffer.capacity else { return nil }
        return UnsafeMutableRawBufferPointer(start: buffer.memory.start, count: byteCount)
    }

    /// The number of bytes of the contents: for the shape, or for the current strings. nil where it is unknown.
    var byteCount: Int? {
        guard let dataType = tensor.dataType else { return nil }
        guard dataType == .string else { return shape.byteCount(of: dataType) }
        return buffer.flatMap { StringTensorCoding.byteCount(in: $0.bytes) }
    }

    /// Ensures a buffer for the current shape. Uses the one that another slot already has for the same tensor.
    mutating func attachBuffer(sharing buffers: inout [Int: TensorBuffer]) throws(EngineError) {
        guard let dataType = tensor.dataType else { return }
        guard sink == nil else {
            if buffer == nil { buffer = try TensorBuffer(.uInt8, shape: OutputSink.markerShape) }
            return
        }
        guard dataType != .string else {
            return try attachStringBuffer(capacity: max(StringCapacity.first, buffer?.capacity ?? 0))
        }
        if let shared = buffers[tensor.index] {
            guard shared.capacity >= byteCount ?? .max else {
                throw EngineError(.allocate, "Tensor '\(tensor.name)' cannot have two sizes at once.")
            }
            buffer = shared
        } else if buffer == nil {
            buffer = try TensorBuffer(dataType, shape: shape)
        }
        buffers[tensor.index] = buffer
    }

    /// The buffer is never shared, because the engine copies strings in and out and would find a shared buffer locked.
    /// - Parameter capacity: The least number of bytes.
    mutating func attachStringBuffer(capacity: Int) throws(EngineError) {
        guard let count = shape.elementCount, let least = StringTensorCoding.emptyByteCount(count) else {
            throw EngineError(.allocate, "No tensor can hold strings of shape \(shape.dimensions).")
        }
        guard (buffer?.capacity ?? -1) < max(least, capacity) else { return }
        let made = try TensorBuffer(.string, shape: shape, capacity: max(least, capacity))
        // The engine relies on valid strings, also in inputs that the caller does not fill.
        StringTensorCoding.writeEmpty(count, to: made.bytes)
        buffer = made
    }
}

/// The buffer sizes for string outputs. The engine copies strings out after a run and fails when they do not fit. It
/// writes the missing size only to its own log.
enum StringCapacity {
    /// Address space at first, not memory, because untouched pages cost nothing.
    static let first = 1 << 20

    /// The limit. Each larger size repeats the run, and other failures without a reason look the same.
    static let most = 1 << 29

    /// nil at the limit.
    static func next(after capacity: Int) -> Int? {
        capacity < most ? min(capacity * 8, most) : nil
    }
}

/// The model file's description of one input or output.
struct GraphTensor: Sendable {
    let name: String
    /// The tensor's index in the subgraph: equal for an output that is also an input.
    let index: Int
    /// nil for types that an interpreter does not support.
    let dataType: Tensor.DataType?
    /// The file's name for the type.
    let typeName: String
    let quantization: QuantizationParameters?
    let perChannelQuantization: PerChannelQuantization?
    /// The file's shape; open dimensions are 1.
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
    /// The type to compute sizes with before the strings are known, because each string takes at least four bytes.
    var sizeCheckType: Tensor.DataType {
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
    /// nil unless one nonzero scale applies to the whole tensor.
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
