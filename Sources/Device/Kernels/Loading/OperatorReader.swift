import HearthModelFile

/// Reads the tensors of one operator. What a file says is not believed: indices, types, shapes and byte counts are
/// checked before any byte is touched.
struct OperatorReader {
    let bytes: ModelBytes
    let node: ModelGraph.Operator
    private let tensors: [ModelGraph.Tensor]
    /// How error texts call the operator: "operator 3 (LSTM) of subgraph 0".
    private let place: String

    init(
        _ bytes: ModelBytes, _ graph: ModelGraph, subgraph: Int, operator number: Int
    ) throws(ModelFileError) {
        guard graph.subgraphs.indices.contains(subgraph),
            graph.subgraphs[subgraph].operators.indices.contains(number)
        else {
            throw ModelFileError(.malformed, "the model has no operator \(number) in subgraph \(subgraph)")
        }
        self.bytes = bytes
        node = graph.subgraphs[subgraph].operators[number]
        tensors = graph.subgraphs[subgraph].tensors
        place = "operator \(number) (\(node.name)) of subgraph \(subgraph)"
    }

    // MARK: Tensors by slot

    /// The tensor in an input slot; nil where the slot is left out.
    func optional(_ slot: Int) throws(ModelFileError) -> ModelGraph.Tensor? {
        guard node.inputs.indices.contains(slot), node.inputs[slot] != -1 else { return nil }
        return try tensor(node.inputs[slot])
    }

    func required(_ slot: Int, _ name: String) throws(ModelFileError) -> ModelGraph.Tensor {
        guard let tensor = try optional(slot) else { throw malformed("has no \(name)") }
        return tensor
    }

    func has(_ slot: Int) -> Bool {
        node.inputs.indices.contains(slot) && node.inputs[slot] != -1
    }

    func intermediate(_ number: Int) throws(ModelFileError) -> ModelGraph.Tensor? {
        guard node.intermediates.indices.contains(number) else { return nil }
        return try tensor(node.intermediates[number])
    }

    /// The only output, whose elements are of the input's type.
    func requireOneOutput(like input: ModelGraph.Tensor) throws(ModelFileError) {
        guard node.outputs.count == 1 else { throw malformed("has \(node.outputs.count) outputs and not one") }
        let output = try tensor(node.outputs[0])
        guard output.type == input.type else {
            throw unsupported("turns \(input.type) into \(output.type)")
        }
    }

    /// The only value of the tensor's quantization.
    func quantization(
        of tensor: ModelGraph.Tensor, _ name: String
    ) throws(ModelFileError) -> (scale: Float, zeroPoint: Int) {
        guard let quantization = tensor.quantization, !quantization.scales.isEmpty else {
            throw malformed("has no scale for its \(name)")
        }
        guard quantization.scales.count == 1, quantization.zeroPoints.count <= 1 else {
            throw unsupported("has more than one scale for its \(name)")
        }
        let scale = quantization.scales[0]
        guard scale.isFinite, scale > 0 else {
            throw malformed("has the impossible scale \(scale) for its \(name)")
        }
        let zeroPoint = quantization.zeroPoints.first ?? 0
        guard (-128...127).contains(zeroPoint) else {
            throw malformed("has the impossible zero point \(zeroPoint) for its \(name)")
        }
        return (scale, Int(zeroPoint))
    }

    private func tensor(_ index: Int) throws(ModelFileError) -> ModelGraph.Tensor {
        guard tensors.indices.contains(index) else { throw malformed("has no tensor \(index)") }
        return tensors[index]
    }

    // MARK: Refusals

    /// - Parameter problem: continues "operator 3 (LSTM) of subgraph 0 ...".
    func malformed(_ problem: String) -> ModelFileError {
        ModelFileError(.malformed, "the model is damaged: \(place) \(problem)")
    }

    /// - Parameter variant: continues "operator 3 (LSTM) of subgraph 0 ...".
    func unsupported(_ variant: String) -> ModelFileError {
        ModelFileError(
            .unsupported,
            "this engine cannot run the model: \(place) \(variant), which is not supported; export it in another form")
    }
}
