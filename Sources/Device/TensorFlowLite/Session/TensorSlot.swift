/// One input or output of a session: what it is, its shape now, and its buffer once allocated.
struct TensorSlot {
    let tensor: GraphTensor
    var shape: Tensor.Shape
    /// nil before allocation, and always for tensors whose type has no ``Tensor/DataType``.
    var buffer: TensorBuffer?

    /// Bytes of the shape; nil for types without a fixed size and for shapes that are not known yet.
    var byteCount: Int? {
        tensor.dataType.flatMap { shape.byteCount(of: $0) }
    }

    /// Makes sure of a buffer for the present shape, taking the one that another slot has for the same tensor.
    mutating func attachBuffer(
        sharing buffers: inout [Int: TensorBuffer], capacity: Int? = nil
    ) throws(RuntimeFailure) {
        guard let dataType = tensor.dataType else { return }
        if let shared = buffers[tensor.index] {
            guard shared.capacity >= max(byteCount ?? .max, capacity ?? 0) else {
                throw RuntimeFailure(.allocate, "Tensor '\(tensor.name)' cannot have two sizes at once.")
            }
            buffer = shared
        } else if buffer == nil {
            buffer = try TensorBuffer(dataType, shape: shape, capacity: capacity)
        }
        buffers[tensor.index] = buffer
    }
}
