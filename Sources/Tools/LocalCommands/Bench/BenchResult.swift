import HearthModelFile

/// What came of a benchmark.
struct BenchResult {
    struct Input {
        var name: String
        var type: ElementType
        var shape: [Int]
    }

    struct Memory {
        /// The most memory of the process that was in RAM, in bytes.
        var peak: UInt64
        /// By how many bytes loading raised it.
        var loadGrowth: UInt64
    }

    var modelByteCount: Int
    var inputs: [Input]
    var load: BenchLoader.Times
    var firstRun: Duration
    var warmUpRuns: Int
    var latency: LatencySummary
    /// Nil where the system does not tell.
    var memory: Memory?
    var profile: BenchProfile?
}
