import HearthModelFile

/// An LSTM in integers: int8 inputs, weights and hidden state, int16 gates and cell state. Its results equal those of
/// the original kernel byte for byte, which computes in gemmlowp's fixed-point arithmetic.
struct IntegerLSTM: RecurrentKernel {
    let layout: SequenceLayout
    let bytesPerElement = 1
    var state: [any RestorableState] { [hidden, cell] }

    private let shape: LSTMShape
    private let inputGate: IntegerGate?
    private let forgetGate: IntegerGate
    private let cellGate: IntegerGate
    private let outputGate: IntegerGate
    private let cellScale: CellScale
    private let outputMultiplier: FixedPointMultiplier
    private let outputZeroPoint: Int32
    private let hidden: RecurrentState<Int8>
    private let cell: RecurrentState<Int16>
    private let gates: AlignedBuffer<Int16>

    /// The index of the intermediate tensor in which the converter stores the output's scale before projection.
    private static let hiddenIntermediate = 4

    init(_ reader: OperatorReader) throws(ModelFileError) {
        shape = try LSTMShape(reader, hiddenType: .int8, cellType: .int16)
        try Self.requirePlain(shape, reader)
        layout = shape.layout
        let scales = IntegerGate.Scales(
            input: try reader.quantization(of: reader.required(LSTMSlot.input, "input"), "input"),
            hidden: try reader.quantization(
                of: reader.required(LSTMSlot.hiddenState, "hidden state"), "hidden state"))
        inputGate = shape.hasCoupledGates ? nil : try IntegerGate(.input, reader, shape, scales)
        forgetGate = try IntegerGate(.forget, reader, shape, scales)
        cellGate = try IntegerGate(.cell, reader, shape, scales)
        outputGate = try IntegerGate(.output, reader, shape, scales)
        cellScale = try CellScale(reader, clip: shape.options.cellClip)

        guard let intermediate = try reader.intermediate(Self.hiddenIntermediate) else {
            throw reader.malformed("has no intermediate tensor for its output's scale")
        }
        let output = try reader.quantization(of: intermediate, "intermediate output")
        guard let multiplier = FixedPointMultiplier(Double(Float(0x1p-30 / Double(output.scale)))) else {
            throw reader.malformed("has the impossible scale \(output.scale) for its intermediate output")
        }
        outputMultiplier = multiplier
        outputZeroPoint = Int32(output.zeroPoint)
        hidden = RecurrentState(
            count: shape.batch * shape.outputDepth, initial: Int8(truncatingIfNeeded: scales.hidden.zeroPoint))
        cell = RecurrentState(count: shape.batch * shape.cells, initial: 0)
        gates = AlignedBuffer(count: LSTMSlot.Gate.allCases.count * shape.cells, initial: 0)
    }

    private static func requirePlain(_ shape: LSTMShape, _ reader: OperatorReader) throws(ModelFileError) {
        guard !shape.hasProjection else { throw reader.unsupported("is an int8 LSTM with projection") }
        guard !shape.hasPeephole else { throw reader.unsupported("is an int8 LSTM with peepholes") }
        guard !shape.hasLayerNormalization else {
            throw reader.unsupported("is an int8 LSTM with layer normalization")
        }
        // Twelve intermediates mean an older form, whose gates have 8 bits.
        let intermediates = reader.node.intermediates.count
        guard intermediates <= hiddenIntermediate + 1 else {
            throw reader.unsupported("is an int8 LSTM with \(intermediates) intermediate tensors")
        }
    }

    func prepare(steps: Int) {}

    func run(steps: Int, input: UnsafeRawPointer, output: UnsafeMutableRawPointer) {
        let input = input.assumingMemoryBound(to: Int8.self)
        let output = output.assumingMemoryBound(to: Int8.self)
        for step in 0..<steps {
            for item in 0..<layout.batch {
                let row = layout.row(step: step, item: item, steps: steps)
                advance(item, input + row * layout.inputDepth, output + row * layout.outputDepth)
            }
        }
    }

    /// Computes one step of one sequence.
    private func advance(_ item: Int, _ input: UnsafePointer<Int8>, _ output: UnsafeMutablePointer<Int8>) {
        let count = shape.cells
        let hiddenState = hidden.start + item * count
        let cellState = cell.start + item * count
        let inputActivation = gates.start
        let forget = sums(of: forgetGate, input, hiddenState)
        let candidate = sums(of: cellGate, input, hiddenState)
        let outputActivation = sums(of: outputGate, input, hiddenState)
        ActivationTable.sigmoid.apply(forget, count, to: forget)
        ActivationTable.tanh.apply(candidate, count, to: candidate)
        ActivationTable.sigmoid.apply(outputActivation, count, to: outputActivation)
        if let inputGate {
            _ = sums(of: inputGate, input, hiddenState)
            ActivationTable.sigmoid.apply(inputActivation, count, to: inputActivation)
        } else {
            for index in 0..<count { inputActivation[index] = .max &- forget[index] }
        }
        cellScale.update(cellState, count, forget: forget, inputActivation: inputActivation, candidate: candidate)
        cellScale.tanh.apply(cellState, count, to: candidate)
        for index in 0..<count {
            let product = outputMultiplier.apply(Int32(outputActivation[index]) &* Int32(candidate[index]))
            output[index] = Int8(clamping: product &+ outputZeroPoint)
        }
        hiddenState.update(from: output, count: count)
    }

    private func sums(
        of gate: IntegerGate, _ input: UnsafePointer<Int8>, _ hidden: UnsafePointer<Int8>
    ) -> UnsafeMutablePointer<Int16> {
        let sums = gates.start + gate.offset
        gate.start(input, gates.start)
        gate.addRecurrence(hidden, sums)
        return sums
    }
}

/// One gate of an int8 LSTM before its activation, as 16-bit numbers with 3 integer bits.
struct IntegerGate {
    /// The gates' sums have 12 fractional bits.
    private static let sumScale: Float = 0x1p-12

    /// The index of the gate's sums among those of one step.
    let offset: Int
    private let input: IntegerProduct
    private let recurrent: IntegerProduct

    /// The scales that the gates of one operator share.
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

    /// Sets the sums of one step to the input's part.
    func start(_ values: UnsafePointer<Int8>, _ sums: UnsafeMutablePointer<Int16>) {
        (sums + offset).update(repeating: 0, count: input.rows)
        input.add(values, to: sums + offset)
    }

    /// Adds the hidden state's part.
    func addRecurrence(_ hidden: UnsafePointer<Int8>, _ sums: UnsafeMutablePointer<Int16>) {
        recurrent.add(hidden, to: sums)
    }

    private static func multiplier(
        _ reader: OperatorReader, _ slot: Int, _ name: String, _ scale: Float
    ) throws(ModelFileError) -> FixedPointMultiplier {
        let weights = try reader.quantization(of: reader.required(slot, name), name)
        // In floats and in this order, as in the original kernel, because the last bit matters.
        guard let multiplier = FixedPointMultiplier(Double(weights.scale * scale / sumScale)) else {
            throw reader.malformed("has scales for its \(name) that cannot be combined")
        }
        return multiplier
    }
}

/// Values derived from the scale of an int8 LSTM's cell state, which is a power of two.
struct CellScale {
    /// Tanh of the cell state.
    let tanh: ActivationTable
    /// The fractional bits to drop from the product of input gate and cell gate.
    private let shift: Int
    /// The limit of the cell state, in its steps; 0 for none.
    private let clip: Int16

    init(_ reader: OperatorReader, clip: Float) throws(ModelFileError) {
        let scale = try reader.quantization(
            of: reader.required(LSTMSlot.cellState, "cell state"), "cell state"
        ).scale
        let exponent = Int(scale.exponent)
        guard scale.significand == 1, (-15 ... -9).contains(exponent) else {
            throw reader.unsupported(
                "has a cell state of scale \(scale), which is not a power of two from 2^-15 to 2^-9")
        }
        tanh = .tanh(integerBits: 15 + exponent)
        shift = 30 + exponent
        self.clip = clip > 0 ? Int16(min(clip / scale, 32_767)) : 0
    }

    /// cell = forget x cell + input gate x candidate, clipped.
    func update(
        _ cell: UnsafeMutablePointer<Int16>, _ count: Int, forget: UnsafePointer<Int16>,
        inputActivation: UnsafePointer<Int16>, candidate: UnsafePointer<Int16>
    ) {
        for index in 0..<count {
            let kept = product(forget[index], cell[index], shift: 15)
            let added = product(inputActivation[index], candidate[index], shift: shift)
            cell[index] = FixedPoint.saturatingAdd(kept, added)
        }
        guard clip > 0 else { return }
        for index in 0..<count { cell[index] = min(max(cell[index], -clip), clip) }
    }

    @inline(__always)
    private func product(_ left: Int16, _ right: Int16, shift: Int) -> Int16 {
        Int16(truncatingIfNeeded: FixedPoint.roundingDivide(Int32(left) &* Int32(right), byPowerOfTwo: shift))
    }
}
