import HearthModelFile

/// What an interpreter needs to know of a model's main subgraph, the first one.
struct GraphInterface: Sendable {
    let inputs: [GraphTensor]
    let outputs: [GraphTensor]
    /// The engine counts signatures, not subgraphs: the number of the one that stands for the main subgraph.
    let signature: Int
    /// Codes of the operators that are not part of the file format.
    let customOperators: [String]

    init(_ graph: ModelGraph) throws(RuntimeFailure) {
        guard let main = graph.subgraphs.first else {
            throw RuntimeFailure(.load, "The model has no subgraph.")
        }
        guard let signature = graph.signatures.isEmpty ? 0 : graph.signatures.firstIndex(where: { $0.subgraph == 0 })
        else {
            throw RuntimeFailure(.unsupported, "The model has signatures, but none for its main subgraph.")
        }
        self.signature = signature
        let sizing = SizingOperators(main)
        inputs = main.inputs.map { GraphTensor(main.tensors[$0], index: $0, sizingOperator: nil) }
        outputs = main.outputs.map {
            GraphTensor(main.tensors[$0], index: $0, sizingOperator: sizing.operatorName(forTensor: $0))
        }
        customOperators = graph.subgraphs.flatMap { subgraph in
            subgraph.operators.filter { $0.builtinCode == SizingOperators.customCode }.map(\.name)
        }
    }
}
