/// What the TensorFlow Lite C library calls a delegate. Here only a name, so that conformances compile.
public struct TfLiteDelegate {
    public init() {}
}

/// A delegate of the TensorFlow Lite C library.
///
/// The engine behind this module takes none: an interpreter made with one throws. CPU acceleration (XNNPACK) is always
/// there without, and ``Interpreter/Options/accelerator`` chooses a GPU or NPU. The original library's `MetalDelegate` and
/// `CoreMLDelegate` run on Apple's frameworks only and are left out.
public protocol Delegate: AnyObject {
    typealias CDelegate = UnsafeMutablePointer<TfLiteDelegate>

    var cDelegate: CDelegate { get }
}
