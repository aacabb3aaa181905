import HearthModelFile

/// The work of one operator with state. Callers check shapes and byte counts; nothing here can fail in a run.
protocol RecurrentKernel {
    var layout: SequenceLayout { get }
    /// Of one element of input and output.
    var bytesPerElement: Int { get }
    var state: [any RestorableState] { get }

    /// Makes room for runs of `steps` steps.
    mutating func prepare(steps: Int)

    /// Reads whole inputs and writes whole outputs of `steps` steps. No heap allocation.
    func run(steps: Int, input: UnsafeRawPointer, output: UnsafeMutableRawPointer)
}

/// Finds the kernel for an operator's kind and for the types of its activations and weights.
enum KernelFactory {
    static func kernel(
        for reader: OperatorReader, input: ModelGraph.Tensor
    ) throws(ModelFileError) -> any RecurrentKernel {
        let code = reader.node.builtinCode
        guard RecurrentCode.all.contains(code) else {
            throw reader.unsupported("is not a supported operator with state")
        }
        let isLSTM = code == RecurrentCode.lstm || code == RecurrentCode.sequenceLSTM
        // An LSTM may lack the input gate, whose weights come first; the others always have the first weights.
        let slot = isLSTM ? LSTMSlot.Gate.forget.inputWeights : 1
        let weights = try reader.required(slot, "input weights").type
        switch (input.type, weights) {
        case (.float32, .float32), (.float32, .int8):
            return try floatKernel(reader, weights)
        case (.int8, .int8) where isLSTM:
            return try IntegerLSTM(reader)
        default:
            throw reader.unsupported(mixture(input.type, weights))
        }
    }

    private static func floatKernel(
        _ reader: OperatorReader, _ weights: ElementType
    ) throws(ModelFileError) -> any RecurrentKernel {
        switch reader.node.builtinCode {
        case RecurrentCode.svdf: try FloatSVDF(reader, weights: weights)
        case RecurrentCode.rnn, RecurrentCode.sequenceRNN: try FloatRNN(reader, weights: weights)
        default: try FloatLSTM(reader, weights: weights)
        }
    }

    private static func mixture(_ activations: ElementType, _ weights: ElementType) -> String {
        activations == .float32
            ? "is a hybrid of float32 activations and \(weights) weights"
            : "has \(activations) activations and \(weights) weights"
    }
}

/// The file format's numbers of the operators that keep state in tensors of their own.
enum RecurrentCode {
    static let lstm = 16
    static let rnn = 24
    static let svdf = 27
    static let sequenceRNN = 35
    static let sequenceLSTM = 44

    static let all: Set<Int> = [lstm, rnn, svdf, sequenceRNN, sequenceLSTM]
}
