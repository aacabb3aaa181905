/// How often a model is run, where the user leaves that open: for about as long as people like to wait.
enum RunPlan {
    static let measuringTime = Duration.seconds(2)
    static let warmUpTime = Duration.milliseconds(500)
    /// Few enough to wait for, enough for a 90th percentile that means something.
    static let fewestRuns = 20
    /// Times are kept in memory until the end, and should not weigh on the memory that is measured.
    static let mostRuns = 100_000
    /// The most that a user may ask for.
    static let largestCount = 1_000_000

    /// How many runs that take `each` fill `time`, between ``fewestRuns`` and ``mostRuns``.
    static func runs(filling time: Duration, each: Duration) -> Int {
        guard each > .zero else { return mostRuns }
        // Clamped before it becomes an integer, which it need not fit into.
        return Int(min(max(time / each, Double(fewestRuns)), Double(mostRuns)).rounded())
    }
}
