import CLiteRT
import Foundation
import HearthModelFile

/// Owns a `LiteRtCompiledModel` and keeps its model, which must outlive it. For one thread at a time.
///
/// A subgraph runs under the number of a signature that refers to it.
final class CompiledModel {
    let handle: LiteRtCompiledModel
    let canceller = InvocationCanceller()
    let model: LoadedModel
    /// Kept because the engine's messages name custom operators by text that the options own.
    private let compileOptions: CompileOptions
    /// Kept because the engine may read the file later.
    private let weights: WeightCacheFile?
    let kernels: [CustomKernel]
    let options: Interpreter.Options
    private let log: RuntimeLog
    /// The requested shapes, to request them again of another compiled model.
    private(set) var resizes: [InputKey: [Int32]] = [:]
    /// The check of the current run; nil between runs.
    private var shapeCheck: OutputShapeCheck?
    /// What it found in the current or last run.
    private var deviation: OutputShapeCheck.Deviation?

    struct InputKey: Hashable {
        let signature: Int
        let index: Int
    }

    /// - Parameter kernels: One for each of Hearth's custom operators in the model.
    init(
        _ model: LoadedModel, kernels: [CustomKernel], options: Interpreter.Options, log: RuntimeLog
    ) throws(EngineError) {
        let weights = WeightCacheFile(for: model.bytes, options: options, log: log)
        (handle, compileOptions) = try Self.compile(
            model, kernels: kernels, options: options, weightCachePath: weights?.path, log: log)
        weights?.saveBuiltFile()
        self.weights = weights
        self.model = model
        self.kernels = kernels
        self.options = options
        self.log = log
        try installCanceller()
    }

    deinit {
        log.capturingOutput { LiteRtDestroyCompiledModel(handle) }
    }

    func inputShape(at index: Int, signature: Int) throws(EngineError) -> Tensor.Shape {
        var layout = LiteRtLayout()
        let status = LiteRtGetCompiledModelInputTensorLayout(handle, signature, index, &layout)
        try check(status, .allocate, "tell the shape of input \(index)")
        return layout.shape
    }

    /// - Parameter allocating: Whether to allocate memory for the current input shapes first. Must be true before the
    ///   first run, because otherwise the engine would write past an output buffer that is too small.
    func outputShapes(
        count: Int, signature: Int, allocating: Bool
    ) throws(EngineError) -> [Tensor.Shape] {
        guard count > 0 else { return [] }  // the library rejects a count of 0
        // Zeroed, because the library fills in only ranks and dimensions.
        var layouts = [LiteRtLayout](repeating: LiteRtLayout(), count: count)
        let status = log.capturingOutput {
            LiteRtGetCompiledModelOutputTensorLayouts(handle, signature, count, &layouts, allocating)
        }
        do {
            try check(status, .allocate, allocating ? "allocate the tensors" : "tell the shapes of the outputs")
        } catch {
            throw namingFailedOperator(error, count: count, signature: signature)
        }
        return layouts.map(\.shape)
    }

    /// Accepts any positive sizes, also where the model fixed a dimension. Takes effect with the next allocation.
    func resizeInput(at index: Int, signature: Int, to dimensions: [Int32]) throws(EngineError) {
        let status = log.capturingOutput {
            LiteRtCompiledModelResizeInputTensorNonStrict(handle, signature, index, dimensions, dimensions.count)
        }
        try check(status, .resize, "resize input \(index)")
        resizes[InputKey(signature: signature, index: index)] = dimensions
    }

    /// The caller owns the buffers, which must hold as many bytes as the shapes need. Allocates no memory itself.
    /// - Parameter shapeCheck: Stops the run before an output's memory is too small.
    func run(_ arguments: RunArguments, signature: Int, _ shapeCheck: OutputShapeCheck?) throws(EngineError) {
        self.shapeCheck = shapeCheck
        deviation = nil
        defer { self.shapeCheck = nil }
        let status = log.capturingOutput {
            LiteRtRunCompiledModel(
                handle, signature, arguments.inputs.count, arguments.inputs.baseAddress, arguments.outputs.count,
                arguments.outputs.baseAddress)
        }
        if let deviation, let shapeCheck {
            _ = takeReport()
            throw shapeCheck.error(for: deviation)
        }
        try check(status, .run, "run the model")
    }

    /// Checks after a run whether the engine has filled the outputs' memory, and for the right shapes.
    func confirm(_ shapeCheck: OutputShapeCheck) throws(EngineError) {
        let deviation = log.capturingOutput { shapeCheck.deviation(of: handle, allocating: true) }
        guard let deviation else { return }
        _ = takeReport()
        throw shapeCheck.error(for: deviation)
    }

    /// Makes the engine ask before each operator whether to stop. It holds this object's address for its whole
    /// lifetime; there is no call to remove it.
    private func installCanceller() throws(EngineError) {
        let status = LiteRtSetCompiledModelCancellationFunction(handle, Unmanaged.passUnretained(self).toOpaque()) {
            guard let model = $0 else { return false }
            return Unmanaged<CompiledModel>.fromOpaque(model)._withUnsafeGuaranteedRef { $0.shouldStop() }
        }
        try EngineError.check(status, .create, "install a canceller")
    }

    private func shouldStop() -> Bool {
        if canceller.shouldStop() { return true }
        guard let shapeCheck else { return false }
        deviation = shapeCheck.deviation(of: handle, allocating: false)
        return deviation != nil
    }

    private func check(
        _ status: LiteRtStatus, _ step: EngineError.Step, _ call: @autoclosure () -> String
    ) throws(EngineError) {
        guard status != kLiteRtStatusOk else { return }
        throw EngineError(step, call: call(), status: status, report: takeReport())
    }

    /// The kernels' messages since the last call, as one line.
    private func takeReport() -> String {
        var messages: UnsafeMutablePointer<CChar>?
        guard LiteRtCompiledModelGetErrorMessages(handle, &messages) == kLiteRtStatusOk, let messages else { return "" }
        defer { free(messages) }
        return String(cString: messages).split(separator: "\n").joined(separator: "; ")
    }
}

extension CompiledModel {
    /// Compiles with a weight cache if there is one, and without it if that fails.
    static func compile(
        _ model: LoadedModel, kernels: [CustomKernel], options: Interpreter.Options, weightCachePath: String?,
        log: RuntimeLog
    ) throws(EngineError) -> (handle: LiteRtCompiledModel, options: CompileOptions) {
        var created: LiteRtCompiledModel?
        if let weightCachePath {
            let compileOptions = try CompileOptions(options, kernels: kernels, weightCachePath: weightCachePath)
            let status = log.capturingCompilerOutput { compile(model, compileOptions, &created) }
            if status == kLiteRtStatusOk, let created { return (created, compileOptions) }
        }
        let compileOptions = try CompileOptions(options, kernels: kernels)
        let status = log.capturingCompilerOutput { compile(model, compileOptions, &created) }
        guard status == kLiteRtStatusOk, let created else {
            throw EngineError(
                .create, call: "compile the model", status: status, report: reason(model, kernels, options))
        }
        if weightCachePath != nil {
            log.warning("The weight cache is not used: the engine could not compile the model with it.")
        }
        return (created, compileOptions)
    }

    static func compile(
        _ model: LoadedModel, _ options: CompileOptions, _ created: inout LiteRtCompiledModel?
    ) -> LiteRtStatus {
        LiteRtCreateCompiledModel(model.environment.handle, model.handle, options.handle, &created)
    }
}

extension CompiledModel {
    static func reason(
        _ model: LoadedModel, _ kernels: [CustomKernel], _ options: Interpreter.Options
    ) -> String {
        guard let compileOptions = try? CompileOptions(options, kernels: kernels, errors: .standardError) else {
            return ""
        }
        let reason = FailureReason.byRetrying {
            var created: LiteRtCompiledModel?
            if compile(model, compileOptions, &created) == kLiteRtStatusOk { LiteRtDestroyCompiledModel(created) }
        }
        // Most plug-ins do not report their reasons.
        guard options.accelerator != .cpu else { return reason }
        return "The model cannot be compiled for the accelerator; check the device and its driver, or use .cpu"
            + (reason.isEmpty ? "." : " (\(reason)).")
    }

    /// XNNPACK does not report which of its operators cannot be prepared. The engine's own kernels do.
    func namingFailedOperator(_ failure: EngineError, count: Int, signature: Int) -> EngineError {
        guard options.kernelMode == .xnnPack, failure.message.contains("TfLiteXNNPackDelegate") else { return failure }
        var options = options
        options.kernelMode = .builtIn
        options.weightCache = nil
        options.logLevel = .silent
        options.logHandler = nil
        do {
            let model = try CompiledModel(model, kernels: kernels, options: options, log: RuntimeLog(options))
            for (place, dimensions) in resizes {
                try model.resizeInput(at: place.index, signature: place.signature, to: dimensions)
            }
            _ = try model.outputShapes(count: count, signature: signature, allocating: true)
        } catch let reason where reason.step == .allocate && reason.hasReason {
            return reason
        } catch {}
        return failure
    }
}
