/// A summary of the times of many runs.
struct LatencySummary: Equatable, Sendable {
    let count: Int
    let minimum: Duration
    let median: Duration
    let p90: Duration
    let p99: Duration
    let maximum: Duration
    let mean: Duration

    /// Nil without samples.
    init?(_ samples: [Duration]) {
        let sorted = samples.sorted()
        guard let first = sorted.first, let last = sorted.last else { return nil }
        count = sorted.count
        minimum = first
        median = Self.percentile(50, of: sorted)
        p90 = Self.percentile(90, of: sorted)
        p99 = Self.percentile(99, of: sorted)
        maximum = last
        mean = sorted.reduce(.zero, +) / sorted.count
    }

    /// The nearest-rank percentile: the smallest sample such that at least `percent` of all samples are not larger. It is
    /// always one of the samples. `sorted` must not be empty, and `percent` must be 1 to 100.
    private static func percentile(_ percent: Int, of sorted: [Duration]) -> Duration {
        let rank = (percent * sorted.count + 99) / 100
        return sorted[rank - 1]
    }
}
