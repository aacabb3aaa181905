extension Interpreter {
    /// How an interpreter runs its model.
    public struct Options: Equatable, Hashable, Sendable {
        /// The number of CPU threads that one run uses. nil means one; 0 and negative numbers are ignored. A run starts
        /// no more threads than the machine has processors. Results do not depend on this number.
        public var threadCount: Int? = nil

        /// Kept for existing apps, without effect: the engine runs every model with XNNPACK, as the TensorFlow Lite
        /// library itself has long done. ``kernelMode`` switches XNNPACK off.
        public var isXNNPackEnabled: Bool = false

        /// The implementation that computes the operators. LiteRT's `kernel_mode`.
        public var kernelMode: KernelMode = .xnnPack

        /// The folder that keeps weights in XNNPACK's arrangement, so that later loads are faster; nil for none. It has
        /// an effect only if ``kernelMode`` is `.xnnPack` and ``accelerator`` is `.cpu`.
        public var weightCache: WeightCache? = nil

        /// The processor that runs the model. Parts that a GPU or NPU does not support run on the CPU.
        public var accelerator: Accelerator = .cpu

        /// The folder of LiteRT's plug-in libraries for a GPU or NPU. With nil, the dynamic loader searches its own
        /// path for GPU plug-ins; an NPU is found only in a folder given here.
        public var acceleratorLibraryDirectory: String? = nil

        /// Which messages the engine and the interpreter write to standard error, or pass to ``logHandler``.
        public var logLevel: LogLevel = .silent

        /// Receives the messages that ``logLevel`` lets through, instead of standard error; nil for standard error.
        public var logHandler: LogHandler? = nil

        /// Whether ``Interpreter/profile(_:)`` may be used. It also makes each run outside of a profile up to a
        /// microsecond longer.
        public var isProfilingEnabled: Bool = false

        /// Creates options with the defaults.
        public init() {}
    }
}

extension Interpreter.Options {
    /// Which messages are written. Each level includes the levels before it.
    ///
    /// The engine has one level for the whole process: the most detailed one of all interpreters created so far.
    public enum LogLevel: Int, Comparable, Hashable, Sendable {
        /// No messages.
        case silent
        /// The reason for a failed call, where its error cannot state it.
        case error
        /// Conditions that do not fail a call but have an effect, such as an unusable weight cache.
        case warning
        /// Everything that the engine reports.
        case info

        /// A level is less than one that includes it.
        public static func < (left: Self, right: Self) -> Bool {
            left.rawValue < right.rawValue
        }
    }
}

/// The name that ``Interpreter/Options`` had in early versions of the TensorFlow Lite Swift library.
@available(*, deprecated, renamed: "Interpreter.Options")
public typealias InterpreterOptions = Interpreter.Options

extension Interpreter.Options {
    /// An implementation of the operators. The results of the three may differ in the last bits, and those of quantized
    /// models by one step.
    public enum KernelMode: Hashable, Sendable {
        /// XNNPACK for every operator that it supports, `.builtIn` for the others. The fastest.
        case xnnPack
        /// The engine's own optimized kernels.
        case builtIn
        /// The engine's plain kernels, tens of times slower. Use it to find out whether a kernel causes a wrong result.
        case reference
    }
}

extension Interpreter.Options {
    /// The kind of processor that runs a model.
    public enum Accelerator: Hashable, Sendable {
        /// The CPU.
        case cpu
        /// A GPU. It needs a plug-in library of LiteRT, such as `libLiteRtWebGpuAccelerator.so` from LiteRT's Python
        /// package, and the system's graphics driver. Creating an interpreter throws when the plug-in is missing, or
        /// finds no GPU.
        ///
        /// Hearth's tests run without a GPU, so correct results on one are untested.
        case gpu
        /// An NPU. It needs the vendor's dispatch library `libLiteRtDispatch_….so` in
        /// ``Interpreter/Options/acceleratorLibraryDirectory``, and a model compiled ahead of time for the NPU; any
        /// other model runs on the CPU. Creating an interpreter throws when the folder has no such library. Untested on
        /// an NPU.
        case npu
    }
}
