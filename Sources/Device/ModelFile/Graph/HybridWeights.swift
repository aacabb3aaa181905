/// The integers by which an operator multiplies floating-point numbers, as in models with dynamic range quantization.
///
/// The engine's kernels read the scale of each channel of the result, and most do not check how many there are.
package struct HybridWeights {
    /// The index into the operator's inputs.
    package static let place = 1
    /// The dimension of the weights with one index for each channel of the result.
    package let channelDimension: Int
    let tensor: ModelGraph.Tensor
    /// Whether the kernels take every zero point for 0.
    let ignoresZeroPoint: Bool
    /// Whether the weights have one scale, and the kernels need one for each channel.
    package let lacksScales: Bool

    /// nil for other operators, and for operands of other types.
    package init?(of node: ModelGraph.Operator, in subgraph: ModelGraph.Subgraph) {
        guard let kind = Kind(node.builtinCode) else { return nil }
        func operand(_ place: Int) -> ModelGraph.Tensor? {
            guard node.inputs.indices.contains(place), subgraph.tensors.indices.contains(node.inputs[place])
            else { return nil }
            return subgraph.tensors[node.inputs[place]]
        }
        guard let input = operand(kind == .transposedConvolution ? 2 : 0), let weights = operand(Self.place),
            [.float32, .float16, .bfloat16].contains(input.type),
            [.int8, .uint8, .int16, .int4, .int2].contains(weights.type)
        else { return nil }
        tensor = weights
        ignoresZeroPoint = kind != .fullConnection && kind != .product
        channelDimension =
            switch kind {
            case .convolution, .transposedConvolution, .fullConnection: 0
            case .depthwiseConvolution: 3
            // The option says whether the second operand is transposed.
            case .product: weights.shape.count - (node.optionNumbers[1] ?? 0 == 0 ? 1 : 2)
            }
        let shape = weights.shape
        guard let quantization = weights.quantization, quantization.scales.count == 1, shape.count == 4,
            shape.allSatisfy({ $0 > 0 }), shape.indices.contains(quantization.dimension)
        else {
            lacksScales = false
            return
        }
        let needsScales =
            switch kind {
            case .depthwiseConvolution: true
            // Only if it is grouped.
            case .convolution: input.shape.count == 4 && input.shape[3] != shape[3]
            // Its kernel repeats one scale by itself, but along the stated dimension.
            case .transposedConvolution: quantization.dimension != channelDimension
            case .fullConnection, .product: false
            }
        lacksScales = needsScales && (shape[channelDimension] > 1 || shape[quantization.dimension] > 1)
    }

    private enum Kind {
        case convolution, depthwiseConvolution, transposedConvolution, fullConnection, product

        init?(_ code: Int) {
            guard let kind = Self.kinds[code] else { return nil }
            self = kind
        }

        private static let kinds: [Int: Kind] = {
            let names: [(String, Kind)] = [
                ("CONV_2D", .convolution), ("DEPTHWISE_CONV_2D", .depthwiseConvolution),
                ("TRANSPOSE_CONV", .transposedConvolution), ("FULLY_CONNECTED", .fullConnection),
                ("BATCH_MATMUL", .product),
            ]
            return names.reduce(into: [:]) { kinds, name in
                for code in BuiltinOperator.codes(name.0) { kinds[code] = name.1 }
            }
        }()
    }
}
