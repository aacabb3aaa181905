import HearthModelFile

extension ModelGraph.Subgraph {
    /// The operator that computes a tensor; those that only change its shape or type are passed over.
    func lastOperator(of tensor: Int) -> ModelGraph.Operator? {
        var tensor = tensor
        for operation in operators.reversed() where operation.outputs.contains(tensor) {
            guard ["RESHAPE", "SQUEEZE", "EXPAND_DIMS", "DEQUANTIZE", "QUANTIZE"].contains(operation.name),
                let input = operation.inputs.first
            else { return operation }
            tensor = input
        }
        return nil
    }
}
