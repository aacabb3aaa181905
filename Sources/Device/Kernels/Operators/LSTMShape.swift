import HearthModelFile

/// The parts and sizes of an LSTM, read and checked before its weights.
struct LSTMShape {
    let cells: Int
    let layout: SequenceLayout
    let options: RecurrentOptions
    /// Whether the input gate is 1 - forget gate (CIFG).
    let hasCoupledGates: Bool
    let hasPeephole: Bool
    let hasLayerNormalization: Bool
    let hasProjection: Bool

    var batch: Int { layout.batch }
    var inputDepth: Int { layout.inputDepth }
    var outputDepth: Int { layout.outputDepth }

    /// - Parameters:
    ///   - hiddenType: The type of the hidden state's elements.
    ///   - cellType: The type of the cell state's elements.
    init(_ reader: OperatorReader, hiddenType: ElementType, cellType: ElementType) throws(ModelFileError) {
        guard let options = reader.node.recurrentOptions else { throw reader.malformed("has no options") }
        guard !options.isBasicKernel else { throw reader.unsupported("is a basic LSTM of 5 inputs") }
        guard !options.hasDiagonalRecurrence else { throw reader.unsupported("has diagonal recurrent weights") }
        guard [20, 24].contains(reader.node.inputs.count) else {
            throw reader.malformed("has \(reader.node.inputs.count) inputs where 20 or 24 are needed")
        }
        self.options = options
        hasCoupledGates = !reader.has(LSTMSlot.Gate.input.inputWeights)
        hasPeephole = LSTMSlot.Gate.output.peephole.map(reader.has) ?? false
        hasLayerNormalization = reader.has(LSTMSlot.Gate.forget.layerNormalization)
        hasProjection = reader.has(LSTMSlot.projectionWeights)
        let (units, inputDepth) = try Self.dimensions(reader, LSTMSlot.Gate.forget.inputWeights, "input weights")
        let outputDepth = try Self.dimensions(reader, LSTMSlot.Gate.output.recurrentWeights, "recurrent weights").1
        cells = units
        let batch = try reader.stateBatch(LSTMSlot.hiddenState, "hidden state", of: hiddenType, depth: outputDepth)
        let cellBatch = try reader.stateBatch(LSTMSlot.cellState, "cell state", of: cellType, depth: units)
        guard batch == cellBatch else {
            throw reader.malformed("has a hidden state for \(batch) sequences and a cell state for \(cellBatch)")
        }
        layout = SequenceLayout(
            order: Self.order(reader.node.builtinCode, options), batch: batch, inputDepth: inputDepth,
            outputDepth: outputDepth)
        guard hasProjection || outputDepth == cells else {
            throw reader.malformed("has \(cells) cells and \(outputDepth) outputs, but no projection")
        }
        try requireWholeVariants(reader)
    }

    /// An optional part must be present for all gates that can have it, or for none. A gate that is left out must not
    /// have any parts.
    private func requireWholeVariants(_ reader: OperatorReader) throws(ModelFileError) {
        for gate in LSTMSlot.Gate.allCases {
            let exists = gate != .input || !hasCoupledGates
            guard reader.has(gate.recurrentWeights) == exists, reader.has(gate.bias) == exists else {
                throw reader.malformed("has only weights or only a bias of the \(gate.name), or too many of them")
            }
            guard reader.has(gate.layerNormalization) == (exists && hasLayerNormalization) else {
                throw reader.malformed("has layer normalization for some gates only")
            }
            if let peephole = gate.peephole, reader.has(peephole) != (exists && hasPeephole) {
                throw reader.malformed("has peepholes for some gates only")
            }
        }
        guard hasProjection || !reader.has(LSTMSlot.projectionBias) else {
            throw reader.malformed("has a projection bias without projection weights")
        }
    }

    private static func order(_ code: Int, _ options: RecurrentOptions) -> SequenceLayout.Order {
        guard code == RecurrentCode.sequenceLSTM else { return .singleStep }
        return options.isTimeMajor ? .timeMajor : .batchMajor
    }

    private static func dimensions(
        _ reader: OperatorReader, _ slot: Int, _ name: String
    ) throws(ModelFileError) -> (Int, Int) {
        let shape = try reader.required(slot, name).shape
        guard shape.count == 2, shape.allSatisfy({ $0 > 0 }) else {
            throw reader.malformed("has \(name) of shape \(shape)")
        }
        return (shape[0], shape[1])
    }
}
