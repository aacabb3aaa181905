import CLiteRT
import Foundation

/// Owns a `LiteRtCompiledModel` and keeps its model, which must outlive it. One thread at a time.
///
/// Each subgraph is run under the number of a signature that stands for it.
final class CompiledModel {
    private let handle: LiteRtCompiledModel
    private let model: LoadedModel
    /// Kept because the engine's messages name custom operators by text that lies in there.
    private let compileOptions: CompileOptions
    private let kernels: [CustomKernel]

    /// - Parameter kernels: One for each custom operator of ours in the model.
    init(_ model: LoadedModel, kernels: [CustomKernel], options: Interpreter.Options) throws(RuntimeFailure) {
        let compileOptions = try CompileOptions(threadCount: options.threadCount, kernels: kernels)
        var created: LiteRtCompiledModel?
        let status = DelegateNotice.whileHidden(unless: options.logLevel >= .info) {
            LiteRtCreateCompiledModel(model.environment.handle, model.handle, compileOptions.handle, &created)
        }
        try RuntimeFailure.check(status, .create, "compile the model")
        guard let created else { throw RuntimeFailure(.create, call: "compile the model", status: status) }
        self.model = model
        self.compileOptions = compileOptions
        self.kernels = kernels
        handle = created
    }

    deinit {
        LiteRtDestroyCompiledModel(handle)
    }

    func inputShape(at index: Int, signature: Int) throws(RuntimeFailure) -> Tensor.Shape {
        var layout = LiteRtLayout()
        let status = LiteRtGetCompiledModelInputTensorLayout(handle, signature, index, &layout)
        try check(status, .allocate, "tell the shape of input \(index)")
        return layout.shape
    }

    /// - Parameter allocating: Whether to lay out memory for the current input shapes first. Always so before the
    ///   first run: the engine would otherwise write past an output buffer that is too small.
    func outputShapes(
        count: Int, signature: Int, allocating: Bool
    ) throws(RuntimeFailure) -> [Tensor.Shape] {
        guard count > 0 else { return [] }  // the library refuses to be asked for none
        // Zeroed: the library fills in ranks and dimensions only.
        var layouts = [LiteRtLayout](repeating: LiteRtLayout(), count: count)
        let status = LiteRtGetCompiledModelOutputTensorLayouts(handle, signature, count, &layouts, allocating)
        if allocating { try checkKernels(.allocate) }
        try check(status, .allocate, allocating ? "allocate the tensors" : "tell the shapes of the outputs")
        return layouts.map(\.shape)
    }

    /// Any positive sizes, also where the model fixed a dimension. Takes effect with the next allocation.
    func resizeInput(at index: Int, signature: Int, to dimensions: [Int32]) throws(RuntimeFailure) {
        let status = LiteRtCompiledModelResizeInputTensorNonStrict(
            handle, signature, index, dimensions, dimensions.count)
        try check(status, .resize, "resize input \(index)")
    }

    /// The buffers stay the caller's and must hold what the shapes ask for. Allocates no memory of its own.
    func run(_ arguments: RunArguments, signature: Int) throws(RuntimeFailure) {
        let status = LiteRtRunCompiledModel(
            handle, signature, arguments.inputs.count, arguments.inputs.baseAddress, arguments.outputs.count,
            arguments.outputs.baseAddress)
        if !kernels.isEmpty { try checkKernels(.run) }
        try check(status, .run, "run the model")
    }

    private func checkKernels(_ step: RuntimeFailure.Step) throws(RuntimeFailure) {
        for kernel in kernels {
            guard let failure = kernel.takeFailure() else { continue }
            _ = takeReport()
            throw RuntimeFailure(step, failure)
        }
    }

    private func check(
        _ status: LiteRtStatus, _ step: RuntimeFailure.Step, _ call: @autoclosure () -> String
    ) throws(RuntimeFailure) {
        guard status != kLiteRtStatusOk else { return }
        throw RuntimeFailure(step, call: call(), status: status, report: takeReport())
    }

    /// What the kernels reported since the last time, as one line.
    private func takeReport() -> String {
        var messages: UnsafeMutablePointer<CChar>?
        guard LiteRtCompiledModelGetErrorMessages(handle, &messages) == kLiteRtStatusOk, let messages else { return "" }
        defer { free(messages) }
        return String(cString: messages).split(separator: "\n").joined(separator: "; ")
    }
}
