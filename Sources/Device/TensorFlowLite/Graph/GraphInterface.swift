import HearthModelFile

/// What a session needs to know of the subgraph that it runs.
struct GraphInterface {
    let inputs: [GraphTensor]
    let outputs: [GraphTensor]
    /// The engine counts signatures, not subgraphs: the number of one that stands for the subgraph.
    let signature: Int
    /// Who takes an output in the engine's place, by place in the list of outputs.
    let sinks: [Int: OutputSink]
    let recurrentKernels: [RecurrentKernel]

    /// - Parameters:
    ///   - graph: What callers see of the model, while the engine has it in its cured form.
    ///   - subgraph: Its number in both.
    init(_ graph: ModelGraph, cured: CuredModel, subgraph number: Int) throws(RuntimeFailure) {
        let signatures = cured.file.graph.signatures
        guard graph.subgraphs.indices.contains(number),
            let signature = signatures.isEmpty ? 0 : signatures.firstIndex(where: { $0.subgraph == number })
        else { throw RuntimeFailure(.load, "The model has no subgraph \(number).") }
        let subgraph = graph.subgraphs[number]
        inputs = subgraph.inputs.map { GraphTensor(subgraph.tensors[$0], index: $0) }
        outputs = subgraph.outputs.map { GraphTensor(subgraph.tensors[$0], index: $0) }
        sinks = cured.sinks[number] ?? [:]
        recurrentKernels = cured.recurrentKernels[number] ?? []
        self.signature = signature
    }
}
