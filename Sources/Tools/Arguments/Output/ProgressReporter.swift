/// Receives how far a transfer is. Any thread may call it.
public protocol ProgressReporter: Sendable {
    /// Bytes done, of how many where that is known. `completed` includes bytes from an earlier, resumed try.
    func update(completed: UInt64, total: UInt64?)

    /// The transfer is over, well or not. Later calls do nothing.
    func finish()
}
