extension Interpreter {
    /// How an interpreter runs its model.
    public struct Options: Equatable, Hashable, Sendable {
        /// The number of CPU threads that one run uses. nil means one; 0 and negative numbers are ignored. More
        /// threads than the machine has processors are not started. Results do not depend on it.
        public var threadCount: Int? = nil

        /// Kept for existing apps, without effect: the engine runs every model with XNNPACK, whatever this says, as the
        /// TensorFlow Lite library itself has long done. ``kernelMode`` switches XNNPACK off.
        public var isXNNPackEnabled: Bool = false

        /// Which implementation of the operators computes. LiteRT's `kernel_mode`.
        public var kernelMode: KernelMode = .xnnPack

        /// Where weights are kept as XNNPACK arranged them, so that later loads need not arrange them again; nil for
        /// nowhere. Without effect unless ``kernelMode`` is `.xnnPack` and ``accelerator`` is `.cpu`.
        public var weightCache: WeightCache? = nil

        /// What the model runs on. Parts that a GPU or NPU does not take run on the CPU.
        public var accelerator: Accelerator = .cpu

        /// The folder with LiteRT's plug-in libraries for the accelerators other than the CPU. nil leaves GPU plug-ins to
        /// the dynamic loader's search path; an NPU is found only in a folder given here.
        public var acceleratorLibraryDirectory: String? = nil

        /// What the engine and the interpreter write to standard error, or pass to ``logHandler``.
        public var logLevel: LogLevel = .silent

        /// Takes what ``logLevel`` lets through, instead of standard error; nil for standard error.
        public var logHandler: LogHandler? = nil

        /// Whether ``Interpreter/profile(_:)`` may be used. Also makes each run outside of it up to a microsecond longer.
        public var isProfilingEnabled: Bool = false

        public init() {}
    }
}

extension Interpreter.Options {
    /// How much is written to standard error. Each level includes those before it.
    ///
    /// The engine has one level for the whole process: the most talkative one that any interpreter was made with.
    public enum LogLevel: Int, Comparable, Hashable, Sendable {
        /// Nothing.
        case silent
        /// Why a call failed, where its error cannot say so.
        case error
        case warning
        case info

        public static func < (left: Self, right: Self) -> Bool {
            left.rawValue < right.rawValue
        }
    }
}

/// The name that ``Interpreter/Options`` had in early versions of the TensorFlow Lite Swift library.
@available(*, deprecated, renamed: "Interpreter.Options")
public typealias InterpreterOptions = Interpreter.Options

extension Interpreter.Options {
    /// An implementation of the operators. Results of the three may differ in the last bits; those of quantized models
    /// by a step.
    public enum KernelMode: Hashable, Sendable {
        /// XNNPACK wherever it has the operator, else as `.builtIn`. The fastest.
        case xnnPack
        /// The engine's own optimized kernels.
        case builtIn
        /// The engine's plain kernels, tens of times slower: to tell whether a wrong result is a kernel's fault.
        case reference
    }
}

extension Interpreter.Options {
    /// The kind of processor that runs a model.
    public enum Accelerator: Hashable, Sendable {
        case cpu
        /// A GPU, through a plug-in library of LiteRT such as `libLiteRtWebGpuAccelerator.so`, which comes with LiteRT's
        /// Python package, and the system's graphics driver. Init throws when the plug-in is not found, or finds no GPU.
        ///
        /// Hearth's tests run without a GPU: that it computes right there is untested.
        case gpu
        /// An NPU, through its vendor's dispatch library `libLiteRtDispatch_….so` in
        /// ``Interpreter/Options/acceleratorLibraryDirectory``, for models compiled ahead for it; any other model runs on
        /// the CPU. Init throws when the folder has no such library. Untested on an NPU.
        case npu
    }
}
