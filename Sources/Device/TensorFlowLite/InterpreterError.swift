public import Foundation

/// What an ``Interpreter`` throws. Cases and texts are those of the TensorFlow Lite Swift library.
public enum InterpreterError: Error, Equatable, Hashable, Sendable {
    case invalidTensorIndex(index: Int, maxIndex: Int)
    /// The number of bytes given is not the number of bytes that the tensor holds. For typed `int4` and strings, the
    /// number of elements.
    case invalidTensorDataCount(provided: Int, required: Int)
    /// The tensor's elements are of a type without a ``Tensor/DataType``, or not of the type asked for.
    case invalidTensorDataType
    case failedToLoadModel
    case failedToCreateInterpreter
    case failedToResizeInputTensor(index: Int)
    case failedToCopyDataToInputTensor
    case failedToAllocateTensors
    case allocateTensorsRequired
    case invokeInterpreterRequired
    /// Whatever has a reason of its own: the engine's text, or what the model needs and this engine lacks.
    case tensorFlowLiteError(String)
}

extension InterpreterError: LocalizedError, CustomStringConvertible {
    public var errorDescription: String? { description }

    public var description: String {
        switch self {
        case .invalidTensorIndex(let index, let maxIndex):
            "Invalid tensor index \(index), max index is \(maxIndex)."
        case .invalidTensorDataCount(let provided, let required):
            "Provided data count \(provided) must match the required count \(required)."
        case .invalidTensorDataType:
            "Tensor data type is unsupported or could not be determined due to a model error."
        case .failedToLoadModel:
            "Failed to load the given model."
        case .failedToCreateInterpreter:
            "Failed to create the interpreter."
        case .failedToResizeInputTensor(let index):
            "Failed to resize input tensor at index \(index)."
        case .failedToCopyDataToInputTensor:
            "Failed to copy data to input tensor."
        case .failedToAllocateTensors:
            "Failed to allocate memory for input tensors."
        case .allocateTensorsRequired:
            "Must call allocateTensors()."
        case .invokeInterpreterRequired:
            "Must call invoke()."
        case .tensorFlowLiteError(let text):
            "TensorFlow Lite Error: \(text)"
        }
    }
}
