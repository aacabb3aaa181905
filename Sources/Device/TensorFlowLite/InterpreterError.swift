public import Foundation

/// What an ``Interpreter`` throws. Cases, codes and texts are those of the TensorFlow Lite Swift library.
public enum InterpreterError: Error, Equatable, Hashable, Sendable {
    /// Why a model could not be loaded. All reasons are equal, so that an error with one equals an error without.
    public struct LoadingReason: Hashable, Sendable {
        /// One line; nil where nothing more is known.
        public let text: String?

        public init(_ text: String?) { self.text = text }

        public static func == (_: LoadingReason, _: LoadingReason) -> Bool { true }
        public func hash(into hasher: inout Hasher) {}
    }

    case invalidTensorIndex(index: Int, maxIndex: Int)
    /// The number of bytes given is not the number of bytes that the tensor holds. For typed `int4` and strings, the
    /// number of elements.
    case invalidTensorDataCount(provided: Int, required: Int)
    /// The tensor's elements are of a type without a ``Tensor/DataType``, or not of the type asked for.
    case invalidTensorDataType
    /// There is no readable, sound model. Written without the reason, as the original library has it, this is a value and a
    /// pattern that stands for all reasons.
    case failedToLoadModel(LoadingReason)
    case failedToCreateInterpreter
    case failedToResizeInputTensor(index: Int)
    case failedToCopyDataToInputTensor
    case failedToAllocateTensors
    case allocateTensorsRequired
    case invokeInterpreterRequired
    /// Whatever has a reason of its own: the engine's text, or what the model needs and this engine lacks.
    case tensorFlowLiteError(String)
}

extension InterpreterError {
    /// A failure to load of which no more is known.
    public static var failedToLoadModel: InterpreterError { .failedToLoadModel(LoadingReason(nil)) }
}

extension InterpreterError: CustomNSError {
    /// The number that the case has in the original library, where it follows from the order of the cases.
    public var errorCode: Int {
        switch self {
        case .invalidTensorIndex: 0
        case .invalidTensorDataCount: 1
        case .failedToResizeInputTensor: 2
        case .tensorFlowLiteError: 3
        case .invalidTensorDataType: 4
        case .failedToLoadModel: 5
        case .failedToCreateInterpreter: 6
        case .failedToCopyDataToInputTensor: 7
        case .failedToAllocateTensors: 8
        case .allocateTensorsRequired: 9
        case .invokeInterpreterRequired: 10
        }
    }

    /// Foundation on Linux takes the text of an error with a code of its own from here.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
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
        case .failedToLoadModel(let reason):
            "Failed to load the given model." + (reason.text.map { " Reason: \($0)" } ?? "")
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
