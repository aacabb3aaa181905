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
