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
    /// Whether XNNPACK runs the model.
    private let isAccelerated: Bool
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
        isAccelerated = options.kernelMode == .xnnPack && RankBounds(lowered.file).tensorBeyondXNNPACK(of: graph) == nil
        if options.kernelMode == .xnnPack, !isAccelerated { options.kernelMode = .builtIn }
        let interface = try GraphInterface(graph, lowered: lowered, subgraph: 0, isAccelerated: isAccelerated)
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
            compiled, GraphInterface(graph, lowered: lowered, subgraph: number, isAccelerated: isAccelerated))
        others[number] = session
        return session
    }
}

/// What a session needs to know about its subgraph.
struct GraphInterface {
    let inputs: [GraphTensor]
    let outputs: [GraphTensor]
    /// The number of a signature that refers to the subgraph, because the engine counts signatures, not subgraphs.
    let signature: Int
    /// The operators that receive an output instead of the engine, by index in the list of outputs.
    let sinks: [Int: OutputSink]
    let recurrentKernels: [RecurrentCustomKernel]
    /// An operator for whose sake the inputs must keep the shapes of the file.
    let fixedSizeOperator: String?
    /// The tensor that XNNPACK could not hold if the inputs had these shapes, in words; nil if there is none.
    let obstacle: (_ inputShapes: [[Int]]) -> String?

    /// - Parameters:
    ///   - graph: The model as callers see it; the engine has its lowered form.
    ///   - subgraph: The subgraph's number in both forms.
    ///   - isAccelerated: Whether XNNPACK runs the model.
    init(
        _ graph: ModelGraph, lowered: LoweredModel, subgraph number: Int, isAccelerated: Bool
    ) throws(EngineError) {
        let signatures = lowered.file.graph.signatures
        guard graph.subgraphs.indices.contains(number),
            let signature = signatures.isEmpty ? 0 : signatures.firstIndex(where: { $0.subgraph == number })
        else { throw EngineError(.load, "The model has no subgraph \(number).") }
        let subgraph = graph.subgraphs[number]
        inputs = subgraph.inputs.map { GraphTensor(subgraph.tensors[$0], index: $0) }
        outputs = subgraph.outputs.map { GraphTensor(subgraph.tensors[$0], index: $0) }
        sinks = lowered.sinks[number] ?? [:]
        recurrentKernels = lowered.recurrentKernels[number] ?? []
        fixedSizeOperator = subgraph.operators.first(where: OutputSizes.engine.keepsStatedShape)?.name
        self.signature = signature
        let file = lowered.file
        obstacle = { shapes in
            isAccelerated
                ? RankBounds(file, inputShapes: shapes, ofSubgraph: number).tensorBeyondXNNPACK(of: graph) : nil
        }
    }
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
