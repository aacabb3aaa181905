extension LoadingCheck {
    /// R20: integer weights of floating-point numbers have one scale, or one for each channel of the result. Kernels read
    /// as many scales as there are channels, whatever dimension the scales belong to. One scale is repeated before the
    /// engine gets the model, if the weights are a constant.
    func requireScalesOfChannels() throws(ModelFileError) {
        try forEachOperator { subgraph, number, node throws(ModelFileError) in
            guard let weights = HybridWeights(of: node, in: graph.subgraphs[subgraph]),
                let quantization = weights.tensor.quantization
            else { return }
            var name: String { graph.text(operator: number, in: subgraph) }
            guard quantization.scales.count <= 1 || quantization.dimension == weights.channelDimension else {
                throw Self.unsupported(
                    """
                    \(name) has weights with scales along dimension \(quantization.dimension), not along its channels \
                    (dimension \(weights.channelDimension))
                    """)
            }
            guard !weights.ignoresZeroPoint || quantization.zeroPoints.allSatisfy({ $0 == 0 }) else {
                throw Self.unsupported("\(name) multiplies floating-point numbers by weights with a zero point")
            }
            guard !weights.lacksScales || weights.tensor.data?.isEmpty == false else {
                throw Self.unsupported("\(name) has one scale for all channels of weights that are not a constant")
            }
        }
    }

    /// R21: block-wise scales are a constant with a scale for each block. Kernels take the number of the tensor, its type
    /// and its length for right, and divide by the size of a block.
    func requireScalesOfBlocks() throws(ModelFileError) {
        try forEachTensor { subgraph, number, tensor throws(ModelFileError) in
            guard tensor.isBlockwise else { return }
            guard let blocks = tensor.quantization?.blocks, areReadable(blocks, of: tensor, in: subgraph) else {
                throw Self.damaged(
                    "\(graph.text(tensor: number, in: subgraph)) has no constant with a float16 scale for each of its blocks"
                )
            }
        }
    }

    private func areReadable(_ blocks: ModelGraph.Blocks, of tensor: ModelGraph.Tensor, in subgraph: Int) -> Bool {
        let tensors = graph.subgraphs[subgraph].tensors
        guard blocks.size > 0, tensors.indices.contains(blocks.scales), let row = tensor.shape.last,
            row.isMultiple(of: blocks.size), let count = tensor.elementCount
        else { return false }
        let scales = tensors[blocks.scales]
        return scales.type == .float16 && scales.data?.isEmpty == false && scales.elementCount == count / blocks.size
    }

    private static let quantize = BuiltinOperator.codes("QUANTIZE")
    private static let dequantize = BuiltinOperator.codes("DEQUANTIZE")

    /// R22: what is quantized with several scales, or is dequantized with them, is a constant. Other tensors can get another
    /// shape in the run, and the kernels look for scales as far as that reaches.
    func requireScalesOfConstants() throws(ModelFileError) {
        for (number, subgraph) in graph.subgraphs.enumerated() {
            let tensors = subgraph.tensors
            func isConstant(_ tensor: Int) -> Bool {
                tensors[tensor].data?.isEmpty == false && !subgraph.inputs.contains(tensor)
            }
            var quantized: Set<Int> = []
            for (place, node) in subgraph.operators.enumerated() {
                let isQuantizing = Self.quantize.contains(node.builtinCode)
                guard isQuantizing || Self.dequantize.contains(node.builtinCode) else { continue }
                let (input, output) = (node.inputs[0], node.outputs[0])
                guard tensors[isQuantizing ? output : input].quantization.map({ $0.scales.count > 1 }) == true else {
                    continue
                }
                let isFixed =
                    isQuantizing
                    ? isConstant(input) && tensors[input].shape == tensors[output].shape
                    : isConstant(input) || quantized.contains(input)
                guard isFixed else {
                    throw Self.unsupported(
                        "\(graph.text(operator: place, in: number)) has several scales for a tensor that is not a constant"
                    )
                }
                if isQuantizing { quantized.insert(output) }
            }
        }
    }
}
