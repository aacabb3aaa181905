import HearthModelFile

/// What the first operators of a model say about the values of its input. Free of side effects.
struct FirstOperators {
    private let graph: ModelGraph.Subgraph
    private let bytes: ModelBytes
    private let input: Int

    init?(_ model: ModelFile) {
        guard let graph = model.graph.subgraphs.first, let input = graph.inputs.first else { return nil }
        (self.graph, self.input, bytes) = (graph, input, model.bytes)
    }

    /// The normalization of a float32 input: from the integers to which the model quantizes it, or because the model
    /// normalizes bytes itself. nil when the operators do not say it.
    var normalization: ImageProcessing.Normalization? {
        var tensor = input
        // A model may copy or turn its input before it computes.
        for _ in 0..<4 {
            let readers = graph.operators.filter { $0.inputs.contains(tensor) }
            guard readers.count == 1, let output = readers[0].outputs.first else { return nil }
            switch readers[0].name {
            case "TRANSPOSE", "RESHAPE", "PAD", "PADV2", "MIRROR_PAD", "SQUEEZE", "EXPAND_DIMS": tensor = output
            case "QUANTIZE": return quantized(output)
            case "MUL", "DIV", "SUB", "ADD": return computed(readers[0], tensor)
            default: return nil
            }
        }
        return nil
    }

    private func quantized(_ tensor: Int) -> ImageProcessing.Normalization? {
        guard graph.tensors.indices.contains(tensor) else { return nil }
        let type = graph.tensors[tensor].type
        guard let scheme = graph.tensors[tensor].quantization, scheme.scales.count == 1,
            let scale = scheme.scales.first, type == .int8 || type == .uint8
        else { return nil }
        return QuantizedRange(scale: scale, zeroPoint: Float(scheme.zeroPoints.first ?? 0), isSigned: type == .int8)
            .normalization
    }

    /// The model scales bytes to a small range, or takes its mean from bytes.
    private func computed(_ operation: ModelGraph.Operator, _ tensor: Int) -> ImageProcessing.Normalization? {
        guard operation.inputs.count == 2, let other = operation.inputs.first(where: { $0 != tensor }),
            let numbers = constant(other), !numbers.isEmpty
        else { return nil }
        func all(_ range: ClosedRange<Float>) -> Bool { numbers.allSatisfy { range.contains($0.magnitude) } }
        switch operation.name {
        case "MUL":
            // 1/255, 1/127.5, and the reciprocals of deviations of bytes. Twice a number from 0 to 1 less 1.
            if all(0.001...0.03) { return .bytes }
            return all(2...2) && takesOneAway(from: operation.outputs.first) ? .zeroToOne : nil
        case "DIV": return all(30...300) && operation.inputs[0] == tensor ? .bytes : nil
        case "SUB": return all(90...140) && operation.inputs[0] == tensor ? .bytes : nil
        case "ADD": return all(90...140) && numbers.allSatisfy { $0 < 0 } ? .bytes : nil
        default: return nil
        }
    }

    private func takesOneAway(from tensor: Int?) -> Bool {
        graph.operators.contains { operation in
            guard let tensor, operation.inputs.first == tensor, let other = operation.inputs.last,
                let numbers = constant(other), !numbers.isEmpty
            else { return false }
            return numbers.allSatisfy { $0 == (operation.name == "SUB" ? 1 : -1) }
                && ["SUB", "ADD"].contains(operation.name)
        }
    }

    /// The numbers of a small constant.
    private func constant(_ tensor: Int) -> [Float]? {
        guard graph.tensors.indices.contains(tensor), graph.tensors[tensor].type == .float32,
            let range = graph.tensors[tensor].data, range.count <= 16, range.count.isMultiple(of: 4)
        else { return nil }
        return bytes.withUnsafeBytes { bytes in
            stride(from: range.lowerBound, to: range.upperBound, by: 4).map { place in
                Float(bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
            }
        }
    }
}

/// The real numbers that the least and the greatest byte of a quantized tensor mean.
struct QuantizedRange {
    let low: Float
    let high: Float

    /// - Parameter isSigned: Whether the bytes are -128 to 127, not 0 to 255.
    init(scale: Float, zeroPoint: Float, isSigned: Bool) {
        let distance = zeroPoint + (isSigned ? 128 : 0)
        (low, high) = (-distance * scale, (255 - distance) * scale)
    }

    /// The ranges that images are scaled to.
    private static let usual: [(low: Float, high: Float)] = [(0, 1), (-1, 1), (0, 255), (-128, 127), (-0.5, 0.5)]

    /// The normalization to the usual range that this one is, up to what calibration leaves out; nil for other ranges.
    var normalization: ImageProcessing.Normalization? {
        let match = Self.usual.first { usual in
            let slack = (usual.high - usual.low) * 0.02
            return abs(low - usual.low) <= slack && abs(high - usual.high) <= slack
        }
        return match.flatMap { ImageProcessing.Normalization(low: $0.low, high: $0.high) }
    }
}
