/// The file format's numbers of the operators that keep state in tensors of their own.
enum RecurrentCode {
    static let lstm = 16
    static let rnn = 24
    static let svdf = 27
    static let sequenceRNN = 35
    static let sequenceLSTM = 44

    static let all: Set<Int> = [lstm, rnn, svdf, sequenceRNN, sequenceLSTM]
}
