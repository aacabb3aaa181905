import HearthModelFile

/// What a session needs to know about its subgraph.
struct GraphInterface {
    let inputs: [GraphTensor]
    let outputs: [GraphTensor]
    /// The number of a signature that refers to the subgraph, because the engine counts signatures, not subgraphs.
    let signature: Int
    /// The operators that receive an output instead of the engine, by index in the list of outputs.
    let sinks: [Int: OutputSink]
    let recurrentKernels: [RecurrentCustomKernel]
    /// An operator for whose sake the inputs must keep the shapes of the file: one of the subgraph, or of what it runs.
    let fixedSizeOperator: String?
    /// Its number in both forms of the model.
    let subgraph: Int
    /// nil unless XNNPACK runs the model.
    let ranks: RankCheck?

    /// - Parameters:
    ///   - graph: The model as callers see it; the engine has its lowered form.
    ///   - subgraph: The subgraph's number in both forms.
    ///   - ranks: nil unless XNNPACK runs the model.
    init(
        _ graph: ModelGraph, lowered: LoweredModel, subgraph number: Int, ranks: RankCheck?
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
        let operators = graph.subgraphs(runBy: number).lazy.flatMap { graph.subgraphs[$0].operators }
        fixedSizeOperator = operators.first(where: OutputSizes.engine.keepsStatedShape)?.name
        self.signature = signature
        self.subgraph = number
        self.ranks = ranks
    }
}
