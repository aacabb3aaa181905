/// The work of one operator with state. Callers check shapes and byte counts; nothing here can fail in a run.
protocol RecurrentKernel {
    var layout: SequenceLayout { get }
    /// Of one element of input and output.
    var bytesPerElement: Int { get }
    var state: [any KeptState] { get }

    /// Makes room for runs of `steps` steps.
    mutating func prepare(steps: Int)

    /// Reads whole inputs and writes whole outputs of `steps` steps. No heap allocation.
    func run(steps: Int, input: UnsafeRawPointer, output: UnsafeMutableRawPointer)
}
