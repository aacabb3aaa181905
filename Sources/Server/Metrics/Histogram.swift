/// How durations are spread. Any thread may record; nobody waits.
final class Histogram: Sendable {
    /// Upper bounds in seconds: from an answer out of memory to a model over a slow line.
    static let bounds: [Double] = [
        0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300,
    ]
    private static let boundMicroseconds = bounds.map { UInt64($0 * 1_000_000) }

    /// One per bound, and one for what lies beyond the last.
    private let buckets = (0...bounds.count).map { _ in Counter() }
    private let totalMicroseconds = Counter()

    struct State {
        /// Of each bound: how many took that long at most.
        var cumulative: [UInt64]
        var count: UInt64
        var sumSeconds: Double
    }

    func record(microseconds: UInt64) {
        let index = Self.boundMicroseconds.firstIndex { microseconds <= $0 } ?? Self.bounds.count
        buckets[index].add()
        totalMicroseconds.add(microseconds)
    }

    /// Adds up by itself even while others record: the count is that of the buckets as they were read.
    var state: State {
        var running: UInt64 = 0
        let cumulative = buckets.map { bucket in
            running &+= bucket.value
            return running
        }
        return State(
            cumulative: Array(cumulative.dropLast()), count: running,
            sumSeconds: Double(totalMicroseconds.value) / 1_000_000)
    }
}
