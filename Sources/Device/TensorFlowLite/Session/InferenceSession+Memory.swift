import Foundation

/// Why a tensor's memory cannot be lent. The interpreter and signature runners have error cases of their own for it.
enum TensorAccessFailure: Error {
    case notAllocated
    /// Elements of a type that has no fixed size, or a size that is not known.
    case noFixedSize
}

extension InferenceSession {
    /// Lends a tensor's memory, exactly its bytes.
    func withBytes<Result>(
        of slot: TensorSlot, failure: (TensorAccessFailure) -> any Error,
        _ body: (UnsafeMutableRawBufferPointer) throws -> Result
    ) throws -> Result {
        guard isAllocated else { throw failure(.notAllocated) }
        guard let buffer = slot.buffer, let byteCount = slot.byteCount else { throw failure(.noFixedSize) }
        // Kept alive even if `body` makes the session allocate anew.
        return try withExtendedLifetime(buffer) {
            try body(UnsafeMutableRawBufferPointer(start: buffer.memory.start, count: byteCount))
        }
    }

    /// A copy of a tensor as it is now.
    func tensor(of slot: TensorSlot, failure: (TensorAccessFailure) -> any Error) throws -> Tensor {
        let data = try withBytes(of: slot, failure: failure) { Data($0) }
        guard let description = slot.description else { throw failure(.noFixedSize) }
        return Tensor(
            name: description.name, dataType: description.dataType, shape: description.shape, data: data,
            quantizationParameters: description.quantizationParameters)
    }
}

extension TensorSlot {
    /// nil for tensors whose type has no ``Tensor/DataType``.
    var description: Tensor.Description? {
        guard let dataType = tensor.dataType else { return nil }
        return Tensor.Description(
            name: tensor.name, dataType: dataType, shape: shape, quantizationParameters: tensor.quantization)
    }
}
