public import Foundation

/// The errors of an ``Interpreter``. Cases, codes and texts are those of the TensorFlow Lite Swift library.
public enum InterpreterError: Error, Equatable, Hashable, Sendable {
    /// Why a model could not be loaded. All reasons compare as equal, so that an error with a reason equals one
    /// without.
    public struct LoadingReason: Hashable, Sendable {
        /// One line; nil when the reason is unknown.
        public let text: String?

        /// Creates a reason from one line of text.
        public init(_ text: String?) { self.text = text }

        public static func == (_: LoadingReason, _: LoadingReason) -> Bool { true }
        /// Hashes nothing, because all reasons are equal.
        public func hash(into hasher: inout Hasher) {}
    }

    /// The index is not one of an input or output.
    case invalidTensorIndex(index: Int, maxIndex: Int)
    /// The number of bytes passed differs from the number of bytes of the tensor. For typed `int4` values and strings,
    /// it is the number of elements.
    case invalidTensorDataCount(provided: Int, required: Int)
    /// The tensor's elements have a type without a ``Tensor/DataType``, or not the requested type.
    case invalidTensorDataType
    /// There is no readable, valid model. Written without the reason, as in the original library, this is a value and a
    /// pattern that matches every reason.
    case failedToLoadModel(LoadingReason)
    /// The engine could not create the interpreter, and stated no reason.
    case failedToCreateInterpreter
    /// The engine refused the new shape of an input.
    case failedToResizeInputTensor(index: Int)
    /// Kept for existing apps; this module does not throw it.
    case failedToCopyDataToInputTensor
    /// The engine could not allocate memory, and stated no reason.
    case failedToAllocateTensors
    /// The call needs `allocateTensors()` first.
    case allocateTensorsRequired
    /// The call needs `invoke()` first.
    case invokeInterpreterRequired
    /// An error with a reason of its own: the engine's text, or what the model needs and this engine lacks.
    case tensorFlowLiteError(String)
}

extension InterpreterError {
    /// A failure to load whose reason is unknown.
    public static var failedToLoadModel: InterpreterError { .failedToLoadModel(LoadingReason(nil)) }
}

extension InterpreterError: CustomNSError {
    /// The case's number in the original library, which follows from the order of its cases.
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

    /// Foundation on Linux takes the text of an error with its own code from here.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}

extension InterpreterError: LocalizedError, CustomStringConvertible {
    /// What `localizedDescription` returns: ``description``.
    public var errorDescription: String? { description }

    /// The text of the TensorFlow Lite Swift library, with the reason if there is one.
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
