import HearthModelFile

/// An LSTM with float activations and float or int8 weights (Hochreiter and Schmidhuber 1997). It supports all parts
/// that the file format can add: peepholes (Gers and Schmidhuber 2000), projection (Sak, Senior and Beaufays 2014),
/// coupled input and forget gates (Greff and others 2017), clips and layer normalization.
struct FloatLSTM: RecurrentKernel {
    let layout: SequenceLayout
    let bytesPerElement = 4
    var state: [any RestorableState] { [hidden, cell] }

    private let shape: LSTMShape
    private let activation: Activation
    private let forgetGate: FloatGate
    private let inputGate: FloatGate?
    private let cellGate: FloatGate
    private let outputGate: FloatGate
    private let projection: FloatProjection?
    private let hidden: RecurrentState<Float>
    private let cell: RecurrentState<Float>
    private var blocks: StepBlocks
    private var scratch: AlignedBuffer<Float>

    /// - Parameter type: The type of the weights.
    init(_ reader: OperatorReader, weights type: ElementType) throws(ModelFileError) {
        shape = try LSTMShape(reader, hiddenType: .float32, cellType: .float32)
        guard let activation = Activation(rawValue: shape.options.activation), activation != .none else {
            throw reader.unsupported("has the activation \(shape.options.activation)")
        }
        self.activation = activation
        layout = shape.layout
        inputGate = shape.hasCoupledGates ? nil : try FloatGate(.input, reader, shape, type)
        forgetGate = try FloatGate(.forget, reader, shape, type)
        cellGate = try FloatGate(.cell, reader, shape, type)
        outputGate = try FloatGate(.output, reader, shape, type)
        projection = shape.hasProjection ? try FloatProjection(reader, shape, type) : nil
        hidden = RecurrentState(count: shape.batch * shape.outputDepth, initial: 0)
        cell = RecurrentState(count: shape.batch * shape.cells, initial: 0)
        blocks = StepBlocks(steps: 1, batch: shape.batch, width: shape.cells, arrays: Self.arrays)
        scratch = AlignedBuffer(count: 0, initial: 0)
    }

    /// One array for each of the four gates.
    private static var arrays: Int { 4 }

    mutating func prepare(steps: Int) {
        blocks = StepBlocks(steps: steps, batch: shape.batch, width: shape.cells, arrays: Self.arrays)
        scratch = AlignedBuffer(count: blocks.scratchCount, initial: 0)
    }

    func run(steps: Int, input: UnsafeRawPointer, output: UnsafeMutableRawPointer) {
        let input = input.assumingMemoryBound(to: Float.self)
        let output = output.assumingMemoryBound(to: Float.self)
        blocks.forEachBlock(of: steps) { block in
            for item in 0..<layout.batch { projectInputs(input, block, item, of: steps) }
            for step in block {
                for item in 0..<layout.batch {
                    let row = layout.row(step: step, item: item, steps: steps)
                    let place = blocks.place(step: step - block.lowerBound, item: item)
                    advance(item, gates: scratch.start + place, output: output + row * layout.outputDepth)
                }
            }
        }
    }

    /// The input's part of the gates' sums for a whole block of steps, so that the weights are read once for all of
    /// them.
    private func projectInputs(_ input: UnsafePointer<Float>, _ block: Range<Int>, _ item: Int, of steps: Int) {
        let first = layout.row(step: block.lowerBound, item: item, steps: steps)
        let sums = scratch.start + blocks.place(step: 0, item: item)
        let start = input + first * layout.inputDepth
        let stride = layout.rowsBetweenSteps * layout.inputDepth
        func project(_ gate: FloatGate) {
            gate.start(start, steps: block.count, stride: stride, sums, stride: blocks.stride)
        }
        if let inputGate { project(inputGate) }
        project(forgetGate)
        project(cellGate)
        project(outputGate)
    }

    /// Computes one step of one sequence. `gates` holds the input's part of the four gates' sums.
    private func advance(_ item: Int, gates: UnsafeMutablePointer<Float>, output: UnsafeMutablePointer<Float>) {
        let count = shape.cells
        let cellState = cell.start + item * count
        let hiddenState = hidden.start + item * layout.outputDepth
        let (forget, candidate) = (gates + forgetGate.offset, gates + cellGate.offset)
        let (inputActivation, outputActivation) = (gates, gates + outputGate.offset)

        forgetGate.addRecurrence(hiddenState, cellState, forget)
        Activation.sigmoid(forget, count)
        cellGate.addRecurrence(hiddenState, cellState, candidate)
        activation.apply(candidate, count)
        if let inputGate {
            inputGate.addRecurrence(hiddenState, cellState, inputActivation)
            Activation.sigmoid(inputActivation, count)
        } else {
            for index in 0..<count { inputActivation[index] = 1 - forget[index] }
        }
        for index in 0..<count {
            cellState[index] = forget[index] * cellState[index] + inputActivation[index] * candidate[index]
        }
        let clip = shape.options.cellClip
        if clip > 0 { Activation.clip(cellState, count, from: -clip, to: clip) }

        outputGate.addRecurrence(hiddenState, cellState, outputActivation)
        Activation.sigmoid(outputActivation, count)
        candidate.update(from: cellState, count: count)
        activation.apply(candidate, count)
        for index in 0..<count { outputActivation[index] *= candidate[index] }
        if let projection {
            projection.apply(outputActivation, output)
        } else {
            output.update(from: outputActivation, count: count)
        }
        hiddenState.update(from: output, count: layout.outputDepth)
    }
}

/// One gate of a float LSTM, before its activation: W · input + R · hidden + peephole x cell + bias. With layer
/// normalization, the sum is normalized before the bias is added.
struct FloatGate {
    /// The index of the gate's sums among those of one step.
    let offset: Int
    private let inputWeights: FloatWeights
    private let recurrentWeights: FloatWeights
    private let bias: Vector<Float>
    private let peephole: Vector<Float>?
    private let layerNormalization: Vector<Float>?

    /// - Parameter type: The type of the weights.
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

    /// Sets the sums of `steps` steps to the input's part, plus the bias if there is no layer normalization.
    /// - Parameter sums: The four gates of the first step; those of the next step are `sumStride` elements later.
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

    /// Adds the state's part to one step's sums.
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

/// Reduces an LSTM's cells to fewer outputs: weights, with an optional bias and an optional clip.
struct FloatProjection {
    private let weights: FloatWeights
    private let bias: Vector<Float>?
    private let clip: Float

    init(_ reader: OperatorReader, _ shape: LSTMShape, _ type: ElementType) throws(ModelFileError) {
        weights = try reader.weights(
            LSTMSlot.projectionWeights, "projection weights", of: type, rows: shape.outputDepth,
            columns: shape.cells)
        bias = try reader.optionalVector(
            LSTMSlot.projectionBias, "projection bias", of: .float32, count: shape.outputDepth)
        clip = shape.options.projectionClip
    }

    func apply(_ cells: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>) {
        if let bias {
            output.update(from: bias.start, count: bias.count)
        } else {
            output.update(repeating: 0, count: weights.rows)
        }
        weights.add(cells, to: output)
        if clip > 0 { Activation.clip(output, weights.rows, from: -clip, to: clip) }
    }
}

/// Layer normalization (Ba, Kiros and Hinton 2016) of one gate: mean 0 and variance 1, then a factor and a bias for
/// each value.
enum LayerNormalization {
    private static let epsilon: Float = 1e-8

    static func apply(
        _ values: UnsafeMutablePointer<Float>, coefficients: Vector<Float>, bias: Vector<Float>
    ) {
        let count = coefficients.count
        var sum: Float = 0
        for index in 0..<count { sum += values[index] }
        let mean = sum / Float(count)
        var squares: Float = 0
        for index in 0..<count {
            let difference = values[index] - mean
            squares += difference * difference
        }
        let factor = 1 / (squares / Float(count) + epsilon).squareRoot()
        for index in 0..<count {
            values[index] = (values[index] - mean) * factor * coefficients.start[index] + bias.start[index]
        }
    }
}
