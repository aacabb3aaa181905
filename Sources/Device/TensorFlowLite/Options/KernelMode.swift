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
