import CLiteRT

extension CompiledModel {
    static func reason(
        _ model: LoadedModel, _ kernels: [CustomKernel], _ options: Interpreter.Options
    ) -> String {
        guard let compileOptions = try? CompileOptions(options, kernels: kernels, errors: .standardError) else {
            return ""
        }
        let reason = FailureReason.ofRepeating {
            var created: LiteRtCompiledModel?
            if compile(model, compileOptions, &created) == kLiteRtStatusOk { LiteRtDestroyCompiledModel(created) }
        }
        // Plug-ins mostly keep their reasons to themselves.
        guard options.accelerator != .cpu else { return reason }
        return "The model cannot be compiled for the accelerator; check the device and its driver, or use .cpu"
            + (reason.isEmpty ? "." : " (\(reason)).")
    }

    /// XNNPACK does not tell which of the operators that it took cannot be prepared. The kernels in its place do.
    func namingTheOperator(_ failure: RuntimeFailure, count: Int, signature: Int) -> RuntimeFailure {
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
