import HearthModelFile

/// What a session needs to know of the subgraph that it runs.
struct GraphInterface: Sendable {
    let inputs: [GraphTensor]
    let outputs: [GraphTensor]
    /// The engine counts signatures, not subgraphs: the number of one that stands for the subgraph.
    let signature: Int

    /// - Parameter subgraph: Its number in `graph`.
    init(_ graph: ModelGraph, subgraph number: Int) throws(RuntimeFailure) {
        guard graph.subgraphs.indices.contains(number) else {
            throw RuntimeFailure(.load, "The model has no subgraph \(number).")
        }
        guard
            let signature = graph.signatures.isEmpty ? 0 : graph.signatures.firstIndex(where: { $0.subgraph == number })
        else {
            throw RuntimeFailure(.unsupported, "The model has signatures, but none for its main subgraph.")
        }
        let subgraph = graph.subgraphs[number]
        let sizing = SizingOperators(subgraph)
        inputs = subgraph.inputs.map { GraphTensor(subgraph.tensors[$0], index: $0, sizingOperator: nil) }
        outputs = subgraph.outputs.map {
            GraphTensor(subgraph.tensors[$0], index: $0, sizingOperator: sizing.operatorName(forTensor: $0))
        }
        self.signature = signature
    }
}
