public import Foundation

/// The errors of a ``SignatureRunner``. Cases and texts are those of the TensorFlow Lite Swift library.
public enum SignatureRunnerError: Error, Equatable, Hashable, Sendable {
    /// The number of bytes passed differs from the number of bytes of the tensor.
    case invalidTensorDataCount(provided: Int, required: Int)
    /// The tensor's elements have a type without a ``Tensor/DataType``.
    case invalidTensorDataType
    /// Kept for existing apps; this module does not throw it.
    case failedToCopyDataToInputTensor
    /// The engine could not allocate memory, and stated no reason.
    case failedToAllocateTensors
    /// The model has no such signature, or the engine could not prepare it and stated no reason.
    case failedToCreateSignatureRunner(signatureKey: String)
    /// The signature has no tensor of that name; the type is `input` or `output`.
    case failedToGetTensor(tensorType: String, nameInSignature: String)
    /// The name is unknown, or the engine refused the new shape.
    case failedToResizeInputTensor(inputName: String)
    /// The run failed, and the engine stated no reason.
    case failedToInvokeSignature(signatureKey: String)
    /// The call needs `allocateTensors()` first.
    case allocateTensorsRequired
}

extension SignatureRunnerError: LocalizedError, CustomStringConvertible {
    /// What `localizedDescription` returns: ``description``.
    public var errorDescription: String? { description }

    /// The text of the TensorFlow Lite Swift library.
    public var description: String {
        switch self {
        case .invalidTensorDataCount(let provided, let required):
            InterpreterError.invalidTensorDataCount(provided: provided, required: required).description
        case .invalidTensorDataType:
            InterpreterError.invalidTensorDataType.description
        case .failedToCopyDataToInputTensor:
            InterpreterError.failedToCopyDataToInputTensor.description
        case .failedToAllocateTensors:
            InterpreterError.failedToAllocateTensors.description
        case .failedToCreateSignatureRunner(let key):
            "Failed to create a signature runner. Signature with key (\(key)) not found."
        case .failedToGetTensor(let type, let name):
            "Failed to get \(type) tensor with \(type) name (\(name))."
        case .failedToResizeInputTensor(let name):
            "Failed to resize input tensor with input name (\(name))."
        case .failedToInvokeSignature(let key):
            "Failed to invoke the signature runner with key (\(key))."
        case .allocateTensorsRequired:
            InterpreterError.allocateTensorsRequired.description
        }
    }
}
