import HearthModelFile

/// Finds the kernel for an operator's kind and for the types of its activations and weights.
enum KernelChoice {
    static func kernel(
        for reader: OperatorReader, input: ModelGraph.Tensor
    ) throws(ModelFileError) -> any RecurrentKernel {
        switch reader.node.builtinCode {
        case RecurrentCode.lstm, RecurrentCode.sequenceLSTM:
            let weights = try weightType(reader, slot: LSTMSlot.Gate.forget.inputWeights)
            switch (input.type, weights) {
            case (.float32, .float32): return try FloatLSTM(reader)
            default: throw reader.unsupported(mixture(input.type, weights, "LSTM"))
            }
        default:
            throw reader.unsupported("is no operator with state")
        }
    }

    private static func weightType(_ reader: OperatorReader, slot: Int) throws(ModelFileError) -> ElementType {
        try reader.required(slot, "input weights").type
    }

    private static func mixture(_ activations: ElementType, _ weights: ElementType, _ kind: String) -> String {
        activations == .float32
            ? "is a hybrid \(kind) with float32 activations and \(weights) weights"
            : "is an \(kind) with \(activations) activations and \(weights) weights"
    }
}
