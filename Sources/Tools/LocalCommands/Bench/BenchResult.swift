import HearthModelFile
import TensorFlowLite

/// The result of a benchmark.
struct BenchResult {
    struct Input {
        var name: String
        var type: ElementType
        var shape: [Int]
    }

    struct Memory {
        /// The peak memory of the process in RAM, in bytes.
        var peak: UInt64
        /// How many bytes loading added to it.
        var loadGrowth: UInt64
    }

    var modelByteCount: Int
    var inputs: [Input]
    var load: BenchLoader.Times
    var firstRun: Duration
    var warmUpRuns: Int
    var latency: LatencySummary
    /// Nil if the system does not say it.
    var memory: Memory?
    var profile: BenchProfile?
}
