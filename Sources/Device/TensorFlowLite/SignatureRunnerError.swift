public import Foundation

/// What a ``SignatureRunner`` throws. Cases and texts are those of the TensorFlow Lite Swift library.
public enum SignatureRunnerError: Error, Equatable, Hashable, Sendable {
    /// The number of bytes given is not the number of bytes that the tensor holds.
    case invalidTensorDataCount(provided: Int, required: Int)
    /// The tensor's elements are of a type without a ``Tensor/DataType``.
    case invalidTensorDataType
    case failedToCopyDataToInputTensor
    case failedToAllocateTensors
    case failedToCreateSignatureRunner(signatureKey: String)
    /// There is no tensor of that name; the type is `input` or `output`.
    case failedToGetTensor(tensorType: String, nameInSignature: String)
    case failedToResizeInputTensor(inputName: String)
    case failedToInvokeSignature(signatureKey: String)
    case allocateTensorsRequired
}

extension SignatureRunnerError: LocalizedError, CustomStringConvertible {
    public var errorDescription: String? { description }

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
