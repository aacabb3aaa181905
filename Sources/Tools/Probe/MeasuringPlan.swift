/// How often and how long `hearth probe --measure` runs a model.
public struct MeasuringPlan: Sendable {
    /// Runs to time at most.
    let runs: Int
    /// No run begins when this has passed since the first.
    let time: Duration

    /// - Returns: Nil unless `runs` is 1 to 10,000 and `seconds` above 0 and at most 3600.
    public init?(runs: Int, seconds: Double) {
        guard (1...10_000).contains(runs), seconds > 0, seconds <= 3600 else { return nil }
        self.runs = runs
        time = .seconds(seconds)
    }
}
