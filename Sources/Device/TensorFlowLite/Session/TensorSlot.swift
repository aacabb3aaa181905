/// One input or output of a session: what it is, its shape now, and its memory once there is some.
struct TensorSlot {
    let tensor: GraphTensor
    var shape: Tensor.Shape
    /// What the engine is handed. nil before allocation, and always for tensors whose type has no ``Tensor/DataType``.
    var buffer: TensorBuffer?
    /// Who has the contents in the place of the buffer, for outputs sized by data.
    var sink: OutputSink?

    /// The tensor's bytes where they lie; nil when there are none yet, or no telling how many.
    var contents: UnsafeMutableRawBufferPointer? {
        if let sink {
            guard sink.shape != nil, let memory = sink.memory else { return nil }
            return UnsafeMutableRawBufferPointer(start: memory.start, count: sink.byteCount)
        }
        guard let buffer, let byteCount, byteCount <= buffer.capacity else { return nil }
        return UnsafeMutableRawBufferPointer(start: buffer.memory.start, count: byteCount)
    }

    /// Bytes of the contents: those of the shape, or for strings what they take now. nil where that is not known.
    var byteCount: Int? {
        guard let dataType = tensor.dataType else { return nil }
        guard dataType == .string else { return shape.byteCount(of: dataType) }
        return buffer.flatMap { StringTensorCoding.byteCount(in: $0.bytes) }
    }

    /// Makes sure of a buffer for the present shape, taking the one that another slot has for the same tensor.
    mutating func attachBuffer(sharing buffers: inout [Int: TensorBuffer]) throws(RuntimeFailure) {
        guard let dataType = tensor.dataType else { return }
        guard sink == nil else {
            if buffer == nil { buffer = try TensorBuffer(.uInt8, shape: OutputSink.markerShape) }
            return
        }
        guard dataType != .string else {
            return try attachStringBuffer(capacity: max(StringRoom.first, buffer?.capacity ?? 0))
        }
        if let shared = buffers[tensor.index] {
            guard shared.capacity >= byteCount ?? .max else {
                throw RuntimeFailure(.allocate, "Tensor '\(tensor.name)' cannot have two sizes at once.")
            }
            buffer = shared
        } else if buffer == nil {
            buffer = try TensorBuffer(dataType, shape: shape)
        }
        buffers[tensor.index] = buffer
    }

    /// Never shared: the engine copies strings in and out, and would find a shared buffer locked.
    /// - Parameter capacity: In bytes, at least.
    mutating func attachStringBuffer(capacity: Int) throws(RuntimeFailure) {
        guard let count = shape.elementCount, let least = StringTensorCoding.emptyByteCount(count) else {
            throw RuntimeFailure(.allocate, "No tensor can hold strings of shape \(shape.dimensions).")
        }
        guard (buffer?.capacity ?? -1) < max(least, capacity) else { return }
        let made = try TensorBuffer(.string, shape: shape, capacity: max(least, capacity))
        // The engine counts on sound strings, also in inputs that the caller leaves alone.
        StringTensorCoding.writeEmpty(count, to: made.bytes)
        buffer = made
    }
}
