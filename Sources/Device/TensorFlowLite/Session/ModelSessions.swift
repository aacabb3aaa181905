import HearthModelFile

/// A compiled model with a session for each subgraph in use.
///
/// Two signatures may refer to one subgraph. The engine then has one set of tensors for both, and so does this class.
final class ModelSessions {
    let graph: ModelGraph
    /// The session of the main subgraph, which is the first one.
    let main: InferenceSession
    /// Protects everything that uses the compiled model, because the engine has no lock of its own.
    let lock = InterpreterLock()

    /// Surrounds the runs of all sessions.
    let runs: RunControl

    private let lowered: LoweredModel
    /// nil if the engine's own kernels run the model, which hold any number of dimensions.
    private let ranks: RankCheck?
    private let compiled: CompiledModel
    private var others: [Int: InferenceSession] = [:]

    /// - Parameters:
    ///   - model: A model that passed its check for loading.
    ///   - sizes: The engine's table, except in tests.
    init(
        _ model: ModelFile, options: Interpreter.Options, sizes: OutputSizes = .engine
    ) throws(EngineError) {
        let log = RuntimeLog(options)
        graph = model.graph
        lowered = try Self.lowered(model, sizes)
        var options = options
        if options.kernelMode == .xnnPack, let tensor = RankBounds(lowered.file).tensorBeyondXNNPACK(of: graph) {
            log.warning("XNNPACK is not used, because \(tensor) could get more dimensions in a run than it holds.")
            options.kernelMode = .builtIn
        }
        ranks = options.kernelMode == .xnnPack ? RankCheck(lowered.file, of: graph) : nil
        let interface = try GraphInterface(graph, lowered: lowered, subgraph: 0, ranks: ranks)
        let environment = try RuntimeEnvironment(options, log: log)
        let loaded = try LoadedModel(lowered.file.bytes, environment: environment, log: log)
        compiled = try CompiledModel(loaded, kernels: lowered.kernels, options: options, log: log)
        try CustomOperatorCheck.run(compiled, interface, of: graph)
        main = try InferenceSession(compiled, interface)
        runs = try RunControl(compiled, options: options)
    }

    /// Resets the state of recurrent operators to its value before the first run.
    func resetState() {
        for kernel in lowered.recurrentKernels.values.joined() { kernel.resetState() }
    }

    private static func lowered(_ model: ModelFile, _ sizes: OutputSizes) throws(EngineError) -> LoweredModel {
        do {
            return try LoweredModel(model, sizes: sizes)
        } catch {
            throw EngineError(error.code == .unsupported ? .unsupported : .load, error.message)
        }
    }

    func session(forSubgraph number: Int) throws(EngineError) -> InferenceSession {
        if number == 0 { return main }
        if let session = others[number] { return session }
        let session = try InferenceSession(
            compiled, GraphInterface(graph, lowered: lowered, subgraph: number, ranks: ranks))
        others[number] = session
        return session
    }
}

/// Looks before each resize whether a tensor could then have more dimensions than XNNPACK holds. Variables carry shapes
/// from one subgraph to another, so it knows the shapes of all sessions. Used with the lock of the sessions.
final class RankCheck {
    private let file: ModelFile
    private let graph: ModelGraph
    /// Of the subgraphs whose inputs were resized.
    private var shapes: [Int: [[Int]]] = [:]

    /// - Parameters:
    ///   - file: The lowered model.
    ///   - graph: The model as callers see it.
    init(_ file: ModelFile, of graph: ModelGraph) {
        self.file = file
        self.graph = graph
    }

    /// The tensor that XNNPACK could not hold if the subgraph's inputs had these shapes, in words; nil if there is none.
    func obstacle(_ inputShapes: [[Int]], ofSubgraph number: Int) -> String? {
        let changed = shapes.merging([number: inputShapes]) { $1 }
        return RankBounds(file, inputShapes: changed).tensorBeyondXNNPACK(of: graph)
    }

    /// They have them now.
    func keep(_ inputShapes: [[Int]], ofSubgraph number: Int) { shapes[number] = inputShapes }
}

/// Finds operators that the engine lacks. The engine reports them only at the first allocation, so this tries one at
/// load.
enum CustomOperatorCheck {
    /// Other failures are left to the caller's own allocation, because a resize may remove their cause.
    static func run(_ compiled: CompiledModel, _ main: GraphInterface, of graph: ModelGraph) throws(EngineError) {
        let customOperators = Set(
            graph.subgraphs.flatMap(\.operators).filter { $0.builtinCode == OutputSizes.customCode }.map(\.name)
        )
        guard !customOperators.isEmpty else { return }
        do {
            _ = try compiled.outputShapes(count: main.outputs.count, signature: main.signature, allocating: true)
        } catch {
            guard ["unresolved custom op", "Flex delegate"].contains(where: error.message.contains) else { return }
            let unknown = customOperators.subtracting(OutputSizes.engine.customFromShapes).sorted()
            throw EngineError(
                .unsupported,
                "The model uses custom operators that this runtime does not have ("
                    + "\(unknown.joined(separator: ", "))); convert it with built-in operators only.")
        }
    }
}
