import Foundation

/// Why a tensor's memory cannot be lent. The interpreter and signature runners have error cases of their own for it.
enum TensorAccessFailure: Error {
    case notAllocated
    /// An output whose size only a run tells.
    case notRun
    /// Elements of a type that has no fixed size, or a size that is not known.
    case noFixedSize
}

extension InferenceSession {
    /// Copies exactly the bytes of an input; for strings, as ``StringTensorCoding`` has them.
    /// - Parameters:
    ///   - mismatch: What to throw for a wrong count, made of the one given and the one wanted.
    ///   - failure: What to throw for anything else.
    func copy(
        _ data: Data, toInput index: Int, mismatch: (_ provided: Int, _ required: Int) -> any Error,
        failure: (TensorAccessFailure) -> any Error
    ) throws {
        let slot = inputs[index]
        guard let dataType = slot.tensor.dataType else { throw failure(.noFixedSize) }
        guard dataType == .string else {
            let required = slot.byteCount ?? 0
            guard data.count == required else { throw mismatch(data.count, required) }
            return try withBytes(of: slot, failure: failure) { _ = data.copyBytes(to: $0) }
        }
        let count = try StringTensorCoding.decode(data).count
        let required = slot.shape.elementCount ?? 0
        guard count == required else { throw mismatch(count, required) }
        guard isAllocated else { throw failure(.notAllocated) }
        do throws(RuntimeFailure) {
            try setStrings(data, ofInput: index)
        } catch {
            throw InterpreterError.tensorFlowLiteError(error.message)
        }
    }

    /// Lends an input's memory to be written. Not that of strings: written wrongly, they would lead the engine astray.
    func withMutableBytes<Result>(
        of slot: TensorSlot, failure: (TensorAccessFailure) -> any Error,
        _ body: (UnsafeMutableRawBufferPointer) throws -> Result
    ) throws -> Result {
        guard slot.tensor.dataType != .string else { throw failure(.noFixedSize) }
        return try withBytes(of: slot, failure: failure, body)
    }

    /// Lends a tensor's memory, exactly its bytes.
    func withBytes<Result>(
        of slot: TensorSlot, failure: (TensorAccessFailure) -> any Error,
        _ body: (UnsafeMutableRawBufferPointer) throws -> Result
    ) throws -> Result {
        guard isAllocated else { throw failure(.notAllocated) }
        guard let contents = slot.contents else { throw failure(slot.sink == nil ? .noFixedSize : .notRun) }
        // Kept alive even if `body` makes the session allocate or run anew.
        return try withExtendedLifetime((slot.buffer, slot.sink?.memory)) { try body(contents) }
    }

    /// A copy of a tensor as it is now.
    func tensor(of slot: TensorSlot, failure: (TensorAccessFailure) -> any Error) throws -> Tensor {
        let data = try withBytes(of: slot, failure: failure) { Data($0) }
        guard let description = slot.description else { throw failure(.noFixedSize) }
        return Tensor(
            name: description.name, dataType: description.dataType, shape: description.shape, data: data,
            quantizationParameters: description.quantizationParameters,
            perChannelQuantization: description.perChannelQuantization)
    }
}

extension TensorSlot {
    /// nil for tensors whose type has no ``Tensor/DataType``.
    var description: Tensor.Description? {
        guard let dataType = tensor.dataType else { return nil }
        return Tensor.Description(
            name: tensor.name, dataType: dataType, shape: shape, quantizationParameters: tensor.quantization,
            perChannelQuantization: tensor.perChannelQuantization)
    }
}
