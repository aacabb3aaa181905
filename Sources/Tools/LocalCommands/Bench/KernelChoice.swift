import HearthArguments
import TensorFlowLite

/// Which implementations of the operators a model runs on.
enum KernelChoice: String, CaseIterable, ExpressibleByArgument {
    /// XNNPACK's where it has one, else the built-in ones.
    case xnnpack
    /// The engine's own optimized ones.
    case builtin
    /// The engine's plain ones, which others are compared with.
    case reference

    var mode: Interpreter.Options.KernelMode {
        switch self {
        case .xnnpack: .xnnPack
        case .builtin: .builtIn
        case .reference: .reference
        }
    }
}
