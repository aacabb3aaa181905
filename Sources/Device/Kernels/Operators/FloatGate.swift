import HearthModelFile

/// One gate of a float LSTM, before its activation:
/// W · input + R · hidden + peephole x cell + bias, or normalized before the bias is added.
struct FloatGate {
    /// Where the gate's sums begin among those of one step.
    let offset: Int
    private let inputWeights: FloatWeights
    private let recurrentWeights: FloatWeights
    private let bias: Vector<Float>
    private let peephole: Vector<Float>?
    private let layerNormalization: Vector<Float>?

    /// - Parameter type: of the weights.
    init(
        _ gate: LSTMSlot.Gate, _ reader: OperatorReader, _ shape: LSTMShape, _ type: ElementType
    ) throws(ModelFileError) {
        offset = gate.rawValue * shape.cells
        inputWeights = try reader.weights(
            gate.inputWeights, "input weights of the \(gate.name)", of: type, rows: shape.cells,
            columns: shape.inputDepth)
        recurrentWeights = try reader.weights(
            gate.recurrentWeights, "recurrent weights of the \(gate.name)", of: type, rows: shape.cells,
            columns: shape.outputDepth)
        bias = try reader.vector(gate.bias, "bias of the \(gate.name)", of: .float32, count: shape.cells)
        peephole = try gate.peephole.flatMap { slot throws(ModelFileError) in
            try reader.optionalFloats(slot, "peephole of the \(gate.name)", of: type, count: shape.cells)
        }
        layerNormalization = try reader.optionalVector(
            gate.layerNormalization, "layer normalization of the \(gate.name)", of: .float32, count: shape.cells)
    }

    /// Sets the sums of `steps` steps to the input's share, with the bias where nothing is normalized.
    /// - Parameter sums: the four gates of the first step; the next step's lie `sumStride` later.
    func start(
        _ input: UnsafePointer<Float>, steps: Int, stride: Int, _ sums: UnsafeMutablePointer<Float>,
        stride sumStride: Int
    ) {
        let sums = sums + offset
        for step in 0..<steps {
            let target = sums + step * sumStride
            if layerNormalization == nil {
                target.update(from: bias.start, count: bias.count)
            } else {
                target.update(repeating: 0, count: bias.count)
            }
        }
        inputWeights.add(input, vectors: steps, stride: stride, to: sums, stride: sumStride)
    }

    /// Adds what one step's sums take from the state.
    func addRecurrence(
        _ hidden: UnsafePointer<Float>, _ cell: UnsafePointer<Float>, _ sums: UnsafeMutablePointer<Float>
    ) {
        recurrentWeights.add(hidden, to: sums)
        if let peephole {
            for index in 0..<peephole.count { sums[index] += peephole.start[index] * cell[index] }
        }
        if let layerNormalization {
            LayerNormalization.apply(sums, coefficients: layerNormalization, bias: bias)
        }
    }
}
