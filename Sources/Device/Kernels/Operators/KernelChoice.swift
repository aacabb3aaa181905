import HearthModelFile

/// Finds the kernel for an operator's kind and for the types of its activations and weights.
enum KernelChoice {
    static func kernel(
        for reader: OperatorReader, input: ModelGraph.Tensor
    ) throws(ModelFileError) -> any RecurrentKernel {
        let code = reader.node.builtinCode
        guard RecurrentCode.all.contains(code) else { throw reader.unsupported("is no operator with known state") }
        let slot = code == RecurrentCode.lstm || code == RecurrentCode.sequenceLSTM ? 2 : 1
        let weights = try reader.required(slot, "input weights").type
        switch (input.type, weights, code) {
        case (.float32, .float32, RecurrentCode.lstm), (.float32, .float32, RecurrentCode.sequenceLSTM):
            return try FloatLSTM(reader)
        case (.float32, .float32, RecurrentCode.rnn), (.float32, .float32, RecurrentCode.sequenceRNN):
            return try FloatRNN(reader)
        case (.float32, .float32, RecurrentCode.svdf):
            return try FloatSVDF(reader)
        case (.int8, .int8, RecurrentCode.lstm), (.int8, .int8, RecurrentCode.sequenceLSTM):
            return try IntegerLSTM(reader)
        default:
            throw reader.unsupported(mixture(input.type, weights))
        }
    }

    private static func mixture(_ activations: ElementType, _ weights: ElementType) -> String {
        activations == .float32
            ? "is a hybrid of float32 activations and \(weights) weights"
            : "has \(activations) activations and \(weights) weights"
    }
}
