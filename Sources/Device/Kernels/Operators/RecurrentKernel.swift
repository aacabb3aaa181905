/// The computation of one operator with state. Callers check shapes and byte counts, so that a run cannot fail.
protocol RecurrentKernel {
    var layout: SequenceLayout { get }
    /// The bytes of one element of input and output.
    var bytesPerElement: Int { get }
    var state: [any RestorableState] { get }

    /// Allocates memory for runs of `steps` steps.
    mutating func prepare(steps: Int)

    /// Reads complete inputs and writes complete outputs of `steps` steps. Does not allocate on the heap.
    func run(steps: Int, input: UnsafeRawPointer, output: UnsafeMutableRawPointer)
}

/// The file format's numbers for the operators that keep state in their own tensors.
enum RecurrentCode {
    static let lstm = 16
    static let rnn = 24
    static let svdf = 27
    static let sequenceRNN = 35
    static let sequenceLSTM = 44

    static let all: Set<Int> = [lstm, rnn, svdf, sequenceRNN, sequenceLSTM]
}
