import HearthModelFile

/// A compiled model and what runs on it: a session for each subgraph that somebody runs.
///
/// Two signatures may stand for one subgraph; the engine then has one set of tensors for both, and so has this.
final class ModelSessions {
    let graph: ModelGraph
    /// The session of the main subgraph, the first one.
    let main: InferenceSession
    /// Guards everything that stands on the compiled model, since the engine has no guard of its own.
    let gate = UseGate()

    /// What surrounds the runs of all sessions.
    let runs: RunControl

    private let cured: CuredModel
    private let compiled: CompiledModel
    private var others: [Int: InferenceSession] = [:]

    /// - Parameter model: One that passed its check for loading.
    init(_ model: ModelFile, options: Interpreter.Options) throws(RuntimeFailure) {
        let log = RuntimeLog(options)
        graph = model.graph
        cured = try Self.cured(model)
        let interface = try GraphInterface(graph, cured: cured, subgraph: 0)
        let environment = try RuntimeEnvironment(options, log: log)
        let loaded = try LoadedModel(cured.file.bytes, environment: environment, log: log)
        compiled = try CompiledModel(loaded, kernels: cured.kernels, options: options, log: log)
        try CustomOperatorCheck.run(compiled, interface, of: graph)
        main = try InferenceSession(compiled, interface)
        runs = try RunControl(compiled, options: options)
    }

    /// The state of recurrent operators back to what it is before the first run.
    func resetState() {
        for kernel in cured.recurrentKernels.values.joined() { kernel.resetState() }
    }

    private static func cured(_ model: ModelFile) throws(RuntimeFailure) -> CuredModel {
        do {
            return try CuredModel(model)
        } catch {
            throw RuntimeFailure(error.code == .unsupported ? .unsupported : .load, error.message)
        }
    }

    func session(forSubgraph number: Int) throws(RuntimeFailure) -> InferenceSession {
        if number == 0 { return main }
        if let session = others[number] { return session }
        let session = try InferenceSession(compiled, GraphInterface(graph, cured: cured, subgraph: number))
        others[number] = session
        return session
    }
}
