import HearthModelFile

/// Selects the kernel for an operator's kind and for the types of its activations and weights.
enum KernelFactory {
    static func kernel(
        for reader: OperatorReader, input: ModelGraph.Tensor
    ) throws(ModelFileError) -> any RecurrentKernel {
        let code = reader.node.builtinCode
        guard RecurrentCode.all.contains(code) else {
            throw reader.unsupported("is a recurrent operator of this kind")
        }
        let isLSTM = code == RecurrentCode.lstm || code == RecurrentCode.sequenceLSTM
        // An LSTM may lack the input gate, whose weights come first. The other operators always have the first weights.
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
