extension ModelGraph {
    /// Makes signatures name the inputs and outputs of their subgraphs where they name what lies behind a conversion.
    ///
    /// TensorFlow's converter gives a quantized model inputs and outputs of another type by one more operator at either
    /// end. Some of its versions leave the signature as it was: it names the tensor behind an input's `QUANTIZE`, and the
    /// one before an output's. The names in the signature stay.
    mutating func takeSignaturesToTheEnds() {
        let ends = subgraphs.map(ConversionEnds.init)
        for number in signatures.indices where ends.indices.contains(signatures[number].subgraph) {
            let ends = ends[signatures[number].subgraph]
            for index in signatures[number].inputs.indices {
                guard let input = ends.inputs[signatures[number].inputs[index].tensor] else { continue }
                signatures[number].inputs[index].tensor = input
                hasOtherSignatures = true
            }
            for index in signatures[number].outputs.indices {
                guard let output = ends.outputs[signatures[number].outputs[index].tensor] else { continue }
                signatures[number].outputs[index].tensor = output
                hasOtherSignatures = true
            }
        }
    }
}

/// The inputs and outputs of a subgraph by the tensors that lie behind or before a conversion; those that are inputs or
/// outputs themselves are left out.
private struct ConversionEnds {
    private(set) var inputs: [Int: Int] = [:]
    private(set) var outputs: [Int: Int] = [:]

    init(_ subgraph: ModelGraph.Subgraph) {
        let (first, last) = (Set(subgraph.inputs), Set(subgraph.outputs))
        for conversion in subgraph.operators where conversion.name == "QUANTIZE" || conversion.name == "DEQUANTIZE" {
            guard let source = conversion.inputs.first, let result = conversion.outputs.first else { continue }
            if first.contains(source), !first.contains(result) { inputs[result] = source }
            if last.contains(result), !last.contains(source) { outputs[source] = result }
        }
    }
}
