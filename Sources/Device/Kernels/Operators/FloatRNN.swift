import HearthModelFile

/// A simple RNN (Elman 1990) with float activations and float or int8 weights, for one step or a sequence: hidden =
/// act(W · input + R · hidden + bias).
struct FloatRNN: RecurrentKernel {
    let layout: SequenceLayout
    let bytesPerElement = 4
    var state: [any RestorableState] { [hidden] }

    private let inputWeights: FloatWeights
    private let recurrentWeights: FloatWeights
    private let bias: Vector<Float>
    private let activation: Activation
    private let hidden: RecurrentState<Float>

    private enum Slot {
        static let inputWeights = 1
        static let recurrentWeights = 2
        static let bias = 3
        static let hiddenState = 4
    }

    /// - Parameter type: The type of the weights.
    init(_ reader: OperatorReader, weights type: ElementType) throws(ModelFileError) {
        guard let options = reader.node.recurrentOptions else { throw reader.malformed("has no options") }
        guard let activation = Activation(rawValue: options.activation) else {
            throw reader.unsupported("has the activation \(options.activation)")
        }
        self.activation = activation
        inputWeights = try reader.weights(Slot.inputWeights, "input weights", of: type)
        let units = inputWeights.rows
        recurrentWeights = try reader.weights(
            Slot.recurrentWeights, "recurrent weights", of: type, rows: units, columns: units)
        bias = try reader.vector(Slot.bias, "bias", of: .float32, count: units)
        let batch = try reader.stateBatch(Slot.hiddenState, "hidden state", of: .float32, depth: units)
        hidden = RecurrentState(count: batch * units, initial: 0)
        layout = SequenceLayout(
            order: Self.order(reader.node.builtinCode, options), batch: batch, inputDepth: inputWeights.columns,
            outputDepth: units)
    }

    func prepare(steps: Int) {}

    func run(steps: Int, input: UnsafeRawPointer, output: UnsafeMutableRawPointer) {
        let input = input.assumingMemoryBound(to: Float.self)
        let output = output.assumingMemoryBound(to: Float.self)
        for item in 0..<layout.batch {
            let first = layout.row(step: 0, item: item, steps: steps)
            let (inputStride, outputStride) = strides
            let outputs = output + first * layout.outputDepth
            for step in 0..<steps {
                (outputs + step * outputStride).update(from: bias.start, count: bias.count)
            }
            inputWeights.add(
                input + first * layout.inputDepth, vectors: steps, stride: inputStride, to: outputs,
                stride: outputStride)
            for step in 0..<steps { advance(item, outputs + step * outputStride) }
        }
    }

    /// The elements from one step's input or output to the next one's.
    private var strides: (input: Int, output: Int) {
        (layout.rowsBetweenSteps * layout.inputDepth, layout.rowsBetweenSteps * layout.outputDepth)
    }

    /// Computes one step of one sequence. `output` holds the input's part and the bias.
    private func advance(_ item: Int, _ output: UnsafeMutablePointer<Float>) {
        let hiddenState = hidden.start + item * layout.outputDepth
        recurrentWeights.add(hiddenState, to: output)
        activation.apply(output, layout.outputDepth)
        hiddenState.update(from: output, count: layout.outputDepth)
    }

    private static func order(_ code: Int, _ options: RecurrentOptions) -> SequenceLayout.Order {
        guard code == RecurrentCode.sequenceRNN else { return .singleStep }
        return options.isTimeMajor ? .timeMajor : .batchMajor
    }
}
