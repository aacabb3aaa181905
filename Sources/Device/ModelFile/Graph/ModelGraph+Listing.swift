extension ModelGraph.Subgraph {
    /// The tensors that a caller fills, in order. Indices that a damaged file has beyond its tensors are left out.
    public var inputTensors: [ModelGraph.Tensor] { tensors(at: inputs) }

    /// The tensors that a run fills, in order. Indices that a damaged file has beyond its tensors are left out.
    public var outputTensors: [ModelGraph.Tensor] { tensors(at: outputs) }

    /// Bytes of weights and other constants in the file; those that several tensors share count once.
    public var constantByteCount: Int {
        var counted: Set<Int> = []
        return tensors.reduce(0) { sum, tensor in
            counted.insert(tensor.buffer).inserted ? sum + (tensor.data?.count ?? 0) : sum
        }
    }

    private func tensors(at indices: [Int]) -> [ModelGraph.Tensor] {
        indices.filter(tensors.indices.contains).map { tensors[$0] }
    }
}
