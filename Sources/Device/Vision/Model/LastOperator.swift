import HearthModelFile

extension ModelGraph.Subgraph {
    /// The operator that computes an output; those that only change its shape or type are passed over.
    /// - Parameter output: An index into ``outputs``; nil is returned for one that is not there.
    func lastOperator(ofOutput output: Int) -> ModelGraph.Operator? {
        guard outputs.indices.contains(output) else { return nil }
        var tensor = outputs[output]
        for operation in operators.reversed() where operation.outputs.contains(tensor) {
            guard ["RESHAPE", "SQUEEZE", "EXPAND_DIMS", "DEQUANTIZE", "QUANTIZE"].contains(operation.name),
                let input = operation.inputs.first
            else { return operation }
            tensor = input
        }
        return nil
    }
}
