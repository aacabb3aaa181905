import HearthModelFile

/// One gate of an int8 LSTM before its activation, as 16-bit numbers with 3 integer bits.
struct IntegerGate {
    /// The gates' sums have 12 fractional bits.
    private static let sumScale: Float = 0x1p-12

    /// Where the gate's sums begin among those of one step.
    let offset: Int
    private let input: IntegerProduct
    private let recurrent: IntegerProduct

    /// What the gates of one operator share.
    struct Scales {
        let input: (scale: Float, zeroPoint: Int)
        let hidden: (scale: Float, zeroPoint: Int)
    }

    init(
        _ gate: LSTMSlot.Gate, _ reader: OperatorReader, _ shape: LSTMShape, _ scales: Scales
    ) throws(ModelFileError) {
        offset = gate.rawValue * shape.cells
        let inputName = "input weights of the \(gate.name)"
        let recurrentName = "recurrent weights of the \(gate.name)"
        let bias: Vector<Int32> = try reader.vector(
            gate.bias, "bias of the \(gate.name)", of: .int32, count: shape.cells)
        input = IntegerProduct(
            try reader.matrix(gate.inputWeights, inputName, of: .int8, rows: shape.cells, columns: shape.inputDepth),
            bias: bias, zeroPoint: scales.input.zeroPoint,
            multiplier: try Self.multiplier(reader, gate.inputWeights, inputName, scales.input.scale))
        recurrent = IntegerProduct(
            try reader.matrix(
                gate.recurrentWeights, recurrentName, of: .int8, rows: shape.cells, columns: shape.outputDepth),
            bias: nil, zeroPoint: scales.hidden.zeroPoint,
            multiplier: try Self.multiplier(reader, gate.recurrentWeights, recurrentName, scales.hidden.scale))
    }

    /// Sets the sums of one step to the input's share.
    func start(_ values: UnsafePointer<Int8>, _ sums: UnsafeMutablePointer<Int16>) {
        (sums + offset).update(repeating: 0, count: input.rows)
        input.add(values, to: sums + offset)
    }

    /// Adds the hidden state's share.
    func addRecurrence(_ hidden: UnsafePointer<Int8>, _ sums: UnsafeMutablePointer<Int16>) {
        recurrent.add(hidden, to: sums)
    }

    private static func multiplier(
        _ reader: OperatorReader, _ slot: Int, _ name: String, _ scale: Float
    ) throws(ModelFileError) -> FixedPointMultiplier {
        let weights = try reader.quantization(of: reader.required(slot, name), name)
        // In floats and in this order, as the original computes it: the last bit counts.
        guard let multiplier = FixedPointMultiplier(Double(weights.scale * scale / sumScale)) else {
            throw reader.malformed("has scales for its \(name) that cannot be combined")
        }
        return multiplier
    }
}
