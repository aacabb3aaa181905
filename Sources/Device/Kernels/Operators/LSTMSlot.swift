/// The input slots of an LSTM, in the order of the file format.
enum LSTMSlot {
    static let input = 0
    static let projectionWeights = 16
    static let projectionBias = 17
    static let hiddenState = 18
    static let cellState = 19

    /// The four gates of an LSTM. The input gate is left out if it is coupled to the forget gate (CIFG).
    enum Gate: Int, CaseIterable {
        case input, forget, cell, output

        var inputWeights: Int { 1 + rawValue }
        var recurrentWeights: Int { 5 + rawValue }
        var bias: Int { 12 + rawValue }
        var layerNormalization: Int { 20 + rawValue }
        /// The cell gate does not use the cell state.
        var peephole: Int? {
            switch self {
            case .input: 9
            case .forget: 10
            case .cell: nil
            case .output: 11
            }
        }
        var name: String {
            switch self {
            case .input: "input gate"
            case .forget: "forget gate"
            case .cell: "cell gate"
            case .output: "output gate"
            }
        }
    }
}
