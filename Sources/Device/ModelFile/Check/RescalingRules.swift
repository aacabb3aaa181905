extension LoadingCheck {
    private static let sums = BuiltinOperator.numbers("ADD", "SUB")
    private static let squares = BuiltinOperator.numbers("SQUARED_DIFFERENCE")

    /// R11: the kernels of quantized sums and squared differences bring both operands to twice the larger input scale, shifted left, and from there to
    /// the output's scale. The last factor must be below one: they abort the process when it is not.
    func requireRepresentableSums() throws(ModelFileError) {
        try forEachOperator { subgraph, number, node throws(ModelFileError) in
            let isSquared = Self.squares.contains(node.builtinCode)
            guard isSquared || Self.sums.contains(node.builtinCode) else { return }
            let tensors = graph.subgraphs[subgraph].tensors
            let inputs = node.inputs.filter { $0 != -1 }.map { tensors[$0] }
            guard let output = node.outputs.first.map({ tensors[$0] }), let shift = Self.leftShift(of: output.type),
                let outputScale = output.quantization?.scales.first,
                let inputScale = inputs.compactMap({ $0.quantization?.scales.first }).max()
            else { return }
            let twice = 2 * Double(inputScale)
            // Squares are shifted by 7 bits before, that is by 14 after.
            let factor =
                isSquared ? twice * twice / (16_384 * Double(outputScale)) : twice / (shift * Double(outputScale))
            guard factor < 1 else {
                throw Self.damaged(
                    """
                    \(graph.text(operator: number, in: subgraph)) has an output scale (\(outputScale)) that is far below \
                    its input scale (\(inputScale))
                    """)
            }
        }
    }

    private static let comparisons = BuiltinOperator.numbers(
        "EQUAL", "GREATER", "GREATER_EQUAL", "LESS", "LESS_EQUAL", "NOT_EQUAL")

    /// R11 for comparisons: kernels multiply 8-bit operands by their scales, which have to be below one.
    func requireSmallScalesForComparisons() throws(ModelFileError) {
        try forEachOperator { subgraph, number, node throws(ModelFileError) in
            guard Self.comparisons.contains(node.builtinCode) else { return }
            let tensors = graph.subgraphs[subgraph].tensors
            for operand in node.inputs.filter({ $0 != -1 }).map({ tensors[$0] }) {
                guard [.int8, .uint8].contains(operand.type), let scale = operand.quantization?.scales.max(), scale >= 1
                else { continue }
                throw Self.unsupported(
                    "\(graph.text(operator: number, in: subgraph)) compares 8-bit values with a scale of \(scale); it must be below 1"
                )
            }
        }
    }

    /// As a factor: how far the kernels shift operands of this type before they add.
    private static func leftShift(of type: ElementType) -> Double? {
        switch type {
        case .int8, .uint8: 1_048_576  // 2^20
        case .int16: 32_768  // 2^15
        default: nil
        }
    }
}
