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

    private let compiled: CompiledModel
    private var others: [Int: InferenceSession] = [:]

    /// - Parameter model: One that passed its check for loading.
    init(_ model: ModelFile, options: Interpreter.Options) throws(RuntimeFailure) {
        let interface = try GraphInterface(model.graph, subgraph: 0)
        let loaded = try LoadedModel(model.bytes, environment: RuntimeEnvironment(logLevel: options.logLevel))
        compiled = try CompiledModel(loaded, options: options)
        try CustomOperatorCheck.run(compiled, interface, of: model.graph)
        main = try InferenceSession(compiled, interface)
        graph = model.graph
    }

    func session(forSubgraph number: Int) throws(RuntimeFailure) -> InferenceSession {
        if number == 0 { return main }
        if let session = others[number] { return session }
        let session = try InferenceSession(compiled, GraphInterface(graph, subgraph: number))
        others[number] = session
        return session
    }
}
