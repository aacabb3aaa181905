/// The type that the TensorFlow Lite C library calls a delegate. It is an empty placeholder here, so that conformances
/// compile.
public struct TfLiteDelegate {
    /// Creates a placeholder.
    public init() {}
}

/// A delegate of the TensorFlow Lite C library.
///
/// The engine of this module accepts no delegates: an interpreter created with one throws. CPU acceleration (XNNPACK)
/// needs no delegate, and ``Interpreter/Options/accelerator`` chooses a GPU or NPU. The original library's
/// `MetalDelegate` and `CoreMLDelegate` are left out because they need Apple's frameworks.
public protocol Delegate: AnyObject {
    /// The pointer by which the C library knows a delegate.
    typealias CDelegate = UnsafeMutablePointer<TfLiteDelegate>

    /// The pointer to the delegate of the C library.
    var cDelegate: CDelegate { get }
}
