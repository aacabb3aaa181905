/// Thins out the progress of a transfer: about a hundred steps, however small the pieces are that arrive.
struct ProgressSteps {
    private var shown: Float?

    /// 0...1 when it is worth telling, else nil. Bytes that start anew, after the file changed on the server, show as a step
    /// back.
    mutating func step(completed: UInt64, total: UInt64) -> Float? {
        let fraction = total == 0 ? 1 : min(1, Float(Double(completed) / Double(total)))
        if let shown {
            guard fraction != shown, abs(fraction - shown) >= 0.01 || fraction == 1 else { return nil }
        }
        shown = fraction
        return fraction
    }
}
