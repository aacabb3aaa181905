import HearthModelFile

/// An SVDF layer (Nakkiran and others 2015) with float activations and float or int8 weights. Each filter reduces the
/// input to one number, keeps the last of these numbers and computes their weighted sum over time. `rank` filters are
/// added up to one unit.
struct FloatSVDF: RecurrentKernel {
    let layout: SequenceLayout
    let bytesPerElement = 4
    var state: [any RestorableState] { [memory] }

    private let featureWeights: FloatWeights
    private let timeWeights: Matrix<Float>
    private let bias: Vector<Float>?
    private let activation: Activation
    private let rank: Int
    /// The kept numbers for each item of the batch and each filter, oldest first.
    private let memory: RecurrentState<Float>
    private let features: AlignedBuffer<Float>

    private enum Slot {
        static let featureWeights = 1
        static let timeWeights = 2
        static let bias = 3
        static let state = 4
    }

    /// - Parameter type: The type of the weights.
    init(_ reader: OperatorReader, weights type: ElementType) throws(ModelFileError) {
        guard let options = reader.node.recurrentOptions else { throw reader.malformed("has no options") }
        guard let activation = Activation(rawValue: options.activation) else {
            throw reader.unsupported("has the activation \(options.activation)")
        }
        self.activation = activation
        rank = options.rank
        featureWeights = try reader.weights(Slot.featureWeights, "feature weights", of: type)
        let filters = featureWeights.rows
        guard rank > 0, filters.isMultiple(of: rank) else {
            throw reader.malformed("has \(filters) filters, which cannot form units of \(rank)")
        }
        timeWeights = try reader.floats(Slot.timeWeights, "time weights", of: type, rows: filters)
        bias = try reader.optionalVector(Slot.bias, "bias", of: .float32, count: filters / rank)
        // No overflow: the bytes of the weights limit both counts.
        let batch = try reader.stateBatch(
            Slot.state, "state", of: .float32, depth: filters * timeWeights.columns)
        memory = RecurrentState(count: batch * filters * timeWeights.columns, initial: 0)
        features = AlignedBuffer(count: filters, initial: 0)
        layout = SequenceLayout(
            order: .singleStep, batch: batch, inputDepth: featureWeights.columns, outputDepth: filters / rank)
    }

    func prepare(steps: Int) {}

    func run(steps: Int, input: UnsafeRawPointer, output: UnsafeMutableRawPointer) {
        let input = input.assumingMemoryBound(to: Float.self)
        let output = output.assumingMemoryBound(to: Float.self)
        for item in 0..<layout.batch {
            remember(input + item * layout.inputDepth, item)
            let outputs = output + item * layout.outputDepth
            weigh(item, outputs)
            activation.apply(outputs, layout.outputDepth)
        }
    }

    /// Drops each filter's oldest number and appends the number for the input.
    private func remember(_ input: UnsafePointer<Float>, _ item: Int) {
        features.fill(0)
        featureWeights.add(input, to: features.start)
        let length = timeWeights.columns
        for filter in 0..<featureWeights.rows {
            let numbers = memory.start + (item * featureWeights.rows + filter) * length
            numbers.update(from: numbers + 1, count: length - 1)
            numbers[length - 1] = features.start[filter]
        }
    }

    private func weigh(_ item: Int, _ outputs: UnsafeMutablePointer<Float>) {
        let length = timeWeights.columns
        for unit in 0..<layout.outputDepth {
            var sum = bias?.start[unit] ?? 0
            for filter in unit * rank..<(unit + 1) * rank {
                let numbers = memory.start + (item * featureWeights.rows + filter) * length
                sum += FloatProduct.dot(timeWeights.start + filter * length, numbers, length)
            }
            outputs[unit] = sum
        }
    }
}
