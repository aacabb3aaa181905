import CLiteRT

/// Owns a `LiteRtTensorBuffer` and the memory it stands for.
final class TensorBuffer {
    static let maximumRank = Int(kLiteRtTensorMaxRank)
    /// The engine counts bytes of a tensor in 32 bits here and there.
    static let maximumByteCount = Int(Int32.max)

    let handle: LiteRtTensorBuffer
    let memory: TensorMemory
    /// Bytes that the buffer may hold.
    var capacity: Int { memory.capacity }

    /// All of the memory, used or not.
    var bytes: UnsafeMutableRawBufferPointer { UnsafeMutableRawBufferPointer(start: memory.start, count: capacity) }

    /// - Parameter capacity: At least the bytes of `shape`; nil for exactly those. For strings the bytes of all.
    init(_ dataType: Tensor.DataType, shape: Tensor.Shape, capacity: Int? = nil) throws(RuntimeFailure) {
        guard
            shape.rank <= Self.maximumRank, shape.dimensions.allSatisfy({ 0...Int(Int32.max) ~= $0 }),
            let byteCount = dataType == .string ? capacity : shape.byteCount(of: dataType),
            let memory = TensorMemory(capacity: max(byteCount, capacity ?? 0))
        else {
            throw RuntimeFailure(.allocate, "There is not enough memory for a tensor of shape \(shape.dimensions).")
        }
        var type = LiteRtRankedTensorType()
        type.element_type = dataType.runtimeType
        // The library makes no buffer for a shape with a zero in it, except for this one.
        type.layout = LiteRtLayout(shape.dimensions.contains(0) ? [0] : shape)
        var created: LiteRtTensorBuffer?
        let status = LiteRtCreateTensorBufferFromHostMemory(&type, memory.start, memory.capacity, nil, &created)
        try RuntimeFailure.check(status, .allocate, "make a tensor buffer")
        guard let created else { throw RuntimeFailure(.allocate, call: "make a tensor buffer", status: status) }
        self.memory = memory
        handle = created
    }

    deinit {
        LiteRtDestroyTensorBuffer(handle)
    }
}
