extension ModelGraph {
    /// Makes signatures name the inputs and outputs of their subgraphs where they name what lies behind a conversion.
    ///
    /// TensorFlow's converter gives a quantized model inputs and outputs of another type by one more operator at either
    /// end. Some of its versions leave the signature as it was: it names the tensor behind an input's `QUANTIZE`, and the
    /// one before an output's. The names in the signature stay.
    mutating func correctSignatures() {
        guard !signatures.isEmpty else { return }
        let converted = subgraphs.map(ConvertedTensors.init)
        for number in signatures.indices where converted.indices.contains(signatures[number].subgraph) {
            let tensors = converted[signatures[number].subgraph]
            let old = signatures[number]
            signatures[number].inputs = Self.corrected(old.inputs, by: tensors.inputs)
            signatures[number].outputs = Self.corrected(old.outputs, by: tensors.outputs)
            if signatures[number] != old { hasCorrectedSignatures = true }
        }
    }

    private static func corrected(_ named: [NamedTensor], by ends: [Int: Int]) -> [NamedTensor] {
        named.map { NamedTensor(name: $0.name, tensor: ends[$0.tensor] ?? $0.tensor) }
    }
}

/// The inputs and outputs of a subgraph, by the tensors that lie behind or before a conversion; without those that are
/// inputs or outputs themselves.
private struct ConvertedTensors {
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
