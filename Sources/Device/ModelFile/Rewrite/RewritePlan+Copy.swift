extension RewritePlan {
    /// Adds the operators that copy a tensor: a slice of all its elements, whose number another operator computes in the
    /// run.
    /// - Returns: The copy, which has one dimension.
    mutating func addCopy(of old: Int, before number: Int, in subgraph: Int) throws(ModelFileError) -> Int {
        let type = graph.subgraphs[subgraph].tensors[old].type
        guard [8, 16, 32, 64].contains(type.bitWidth) else {
            throw ModelFileError(
                .unsupported,
                "\(graph.text(tensor: old, in: subgraph)) cannot be copied: its elements have the type \(type)")
        }
        let row = addTensor("row", shape: [1], isOpen: true, type: type, in: subgraph)
        addOperator(
            "RESHAPE", [old, constant(Int32(-1), of: .int32, in: subgraph)], [row], .before(number), to: subgraph)
        let shape = addTensor("shape", shape: [1], type: .int32, in: subgraph)
        addOperator("SHAPE", [row], [shape], .before(number), to: subgraph)
        // The engine knows the result of SHAPE before the run, and that of MAXIMUM only in the run.
        let count = addTensor("count", shape: [1], type: .int32, in: subgraph)
        addOperator("MAXIMUM", [shape, shape], [count], .before(number), to: subgraph)
        let copy = addTensor("copy", shape: [1], isOpen: true, type: type, in: subgraph)
        addOperator(
            "SLICE", [row, constant(Int32(0), of: .int32, in: subgraph), count], [copy], .before(number), to: subgraph)
        return copy
    }
}
