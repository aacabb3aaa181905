import CLiteRT

extension CompiledModel {
    /// Compiles with a weight cache if there is one, and without it if that fails.
    static func compile(
        _ model: LoadedModel, kernels: [CustomKernel], options: Interpreter.Options, weightCachePath: String?,
        log: RuntimeLog
    ) throws(RuntimeFailure) -> (handle: LiteRtCompiledModel, options: CompileOptions) {
        var created: LiteRtCompiledModel?
        if let weightCachePath {
            let compileOptions = try CompileOptions(options, kernels: kernels, weightCachePath: weightCachePath)
            let status = log.listeningToCompilation { compile(model, compileOptions, &created) }
            if status == kLiteRtStatusOk, let created { return (created, compileOptions) }
        }
        let compileOptions = try CompileOptions(options, kernels: kernels)
        let status = log.listeningToCompilation { compile(model, compileOptions, &created) }
        guard status == kLiteRtStatusOk, let created else {
            throw RuntimeFailure(
                .create, call: "compile the model", status: status, report: reason(model, kernels, options))
        }
        if weightCachePath != nil { log.warning("The weight cache is not used: the engine could not do with it.") }
        return (created, compileOptions)
    }

    static func compile(
        _ model: LoadedModel, _ options: CompileOptions, _ created: inout LiteRtCompiledModel?
    ) -> LiteRtStatus {
        LiteRtCreateCompiledModel(model.environment.handle, model.handle, options.handle, &created)
    }
}
