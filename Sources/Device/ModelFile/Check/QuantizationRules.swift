extension LoadingCheck {
    // Real models have scales down to 1.2e-35.
    private static let plausibleScales: ClosedRange<Float> = 1e-36...1e6

    /// R3: scales are plausible, have zero points in the type's range, and belong to an existing dimension. There are
    /// no zero points without scales.
    func requireValidQuantization() throws(ModelFileError) {
        try forEachTensor { subgraph, number, tensor throws(ModelFileError) in
            guard let quantization = tensor.quantization,
                let problem = Self.problem(of: quantization, for: tensor)
            else { return }
            throw Self.damaged("\(graph.text(tensor: number, in: subgraph)) \(problem)")
        }
    }

    private static func problem(of quantization: ModelGraph.Quantization, for tensor: ModelGraph.Tensor) -> String? {
        let scales = quantization.scales
        let zeroPoints = quantization.zeroPoints
        guard scales.allSatisfy(plausibleScales.contains) else { return "has a scale that is zero, negative or absurd" }
        if let range = tensor.type.integerRange, !zeroPoints.allSatisfy(range.contains) {
            return "has a zero point outside the range of \(tensor.type)"
        }
        guard !scales.isEmpty else { return zeroPoints.isEmpty ? nil : "has zero points but no scales" }
        guard !zeroPoints.isEmpty else { return "has scales but no zero points" }
        guard scales.count == zeroPoints.count else {
            return "has \(scales.count) scales but \(zeroPoints.count) zero points"
        }
        // A scalar has no dimension; exporters write 0 for it.
        guard (0..<max(tensor.shape.count, 1)).contains(quantization.dimension) else {
            return "is quantized along dimension \(quantization.dimension), which it does not have"
        }
        guard scales.count == 1 || tensor.shape.isEmpty == false else { return "is a scalar with several scales" }
        guard scales.count == 1 || tensor.shape[quantization.dimension] == scales.count else {
            return "has \(scales.count) scales for \(tensor.shape[quantization.dimension]) channels"
        }
        return nil
    }

    private static let arithmetic = BuiltinOperator.codes(
        "AVERAGE_POOL_2D", "BATCH_MATMUL", "CONV_2D", "DEPTHWISE_CONV_2D", "DEQUANTIZE", "FULLY_CONNECTED",
        "HARD_SWISH", "L2_NORMALIZATION", "LEAKY_RELU", "LOG_SOFTMAX", "LOGISTIC", "MEAN", "PRELU", "QUANTIZE", "RELU",
        "RELU6", "RELU_0_TO_1", "RELU_N1_TO_1", "SOFTMAX", "SUM", "TANH", "TRANSPOSE_CONV")

    /// R5: 8- and 16-bit operands of arithmetic have a scale, because kernels divide by it.
    func requireScalesForArithmetic() throws(ModelFileError) {
        try requireScales(of: Self.arithmetic) { tensor, _ in tensor.type.isSmallInteger }
    }

    private static let elementWise = BuiltinOperator.codes(
        "ADD", "DIV", "MAXIMUM", "MINIMUM", "MUL", "SQUARED_DIFFERENCE", "SUB")

    /// R6: if one operand of an element-wise operator has 8 or 16 bits, all operands have a scale.
    func requireScalesForElementWise() throws(ModelFileError) {
        try requireScales(of: Self.elementWise) { _, operands in operands.contains(where: \.type.isSmallInteger) }
    }

    private func requireScales(
        of codes: Set<Int>, where isNeeded: (ModelGraph.Tensor, [ModelGraph.Tensor]) -> Bool
    ) throws(ModelFileError) {
        try forEachOperator { subgraph, number, node throws(ModelFileError) in
            guard codes.contains(node.builtinCode) else { return }
            let numbers = (node.inputs + node.outputs).filter { $0 != -1 }
            let operands = numbers.map { graph.subgraphs[subgraph].tensors[$0] }
            for (operand, tensor) in zip(numbers, operands)
            where isNeeded(tensor, operands) && !tensor.carriesScale {
                throw Self.damaged(
                    "\(graph.text(operator: number, in: subgraph)) calculates with "
                        + "\(graph.text(tensor: operand, in: subgraph)), which has no scale")
            }
        }
    }

    /// The engine's kernels abort on block-wise scales in element-wise operators, although the format allows them.
    func requireNoBlockwiseElementWise() throws(ModelFileError) {
        try forEachOperator { subgraph, number, node throws(ModelFileError) in
            guard Self.elementWise.contains(node.builtinCode) else { return }
            let tensors = graph.subgraphs[subgraph].tensors
            guard !(node.inputs + node.outputs).contains(where: { $0 != -1 && tensors[$0].isBlockwise }) else {
                throw Self.unsupported(
                    "\(graph.text(operator: number, in: subgraph)) has block-wise quantized operands")
            }
        }
    }
}

extension ModelGraph.Tensor {
    var isBlockwise: Bool { quantization?.detailsKind == 2 }
    fileprivate var carriesScale: Bool { isBlockwise || quantization?.scales.isEmpty == false }
}

extension ElementType {
    fileprivate var isSmallInteger: Bool { self == .int8 || self == .uint8 || self == .int16 }

    /// The values that a zero point may have; nil where the type sets no bounds.
    fileprivate var integerRange: ClosedRange<Int64>? {
        switch self {
        case .int2: -2...1
        case .int4: -8...7
        case .uint4: 0...15
        case .int8: -128...127
        case .uint8: 0...255
        case .int16: -32768...32767
        case .uint16: 0...65535
        case .int32: Int64(Int32.min)...Int64(Int32.max)
        case .uint32: 0...Int64(UInt32.max)
        default: nil
        }
    }
}

extension LoadingCheck {
    private static let sums = BuiltinOperator.codes("ADD", "SUB")
    private static let squares = BuiltinOperator.codes("SQUARED_DIFFERENCE")

    /// R11: the kernels of quantized sums and squared differences convert both operands to twice the larger input
    /// scale, shifted left, and then to the output's scale. The last factor must be below one; otherwise the kernels
    /// abort the process.
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
            // Squares: each operand is shifted by 7 bits before squaring, which is 14 bits afterwards.
            let factor =
                isSquared ? twice * twice / (16_384 * Double(outputScale)) : twice / (shift * Double(outputScale))
            guard factor < 1 else {
                throw Self.damaged(
                    """
                    \(graph.text(operator: number, in: subgraph)) has an output scale (\(outputScale)) that is far \
                    below its input scale (\(inputScale))
                    """)
            }
        }
    }

    private static let comparisons = BuiltinOperator.codes(
        "EQUAL", "GREATER", "GREATER_EQUAL", "LESS", "LESS_EQUAL", "NOT_EQUAL")

    /// R11 for comparisons: kernels multiply 8-bit operands by their scales, which must be below one.
    func requireSmallScalesForComparisons() throws(ModelFileError) {
        try forEachOperator { subgraph, number, node throws(ModelFileError) in
            guard Self.comparisons.contains(node.builtinCode) else { return }
            let tensors = graph.subgraphs[subgraph].tensors
            for operand in node.inputs.filter({ $0 != -1 }).map({ tensors[$0] }) {
                guard [.int8, .uint8].contains(operand.type), let scale = operand.quantization?.scales.max(), scale >= 1
                else { continue }
                throw Self.unsupported(
                    """
                    \(graph.text(operator: number, in: subgraph)) compares 8-bit values with a scale of \(scale); \
                    it must be below 1
                    """
                )
            }
        }
    }

    /// As a factor: how far the kernels shift operands of this type before they add them.
    private static func leftShift(of type: ElementType) -> Double? {
        switch type {
        case .int8, .uint8: 1_048_576  // 2^20
        case .int16: 32_768  // 2^15
        default: nil
        }
    }
}
