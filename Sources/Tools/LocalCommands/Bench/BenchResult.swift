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

/// The time of each operator of a model.
struct BenchProfile {
    struct Operator {
        var name: String
        /// The operator's number in its subgraph, or its place in the part of the model that a delegate runs.
        var node: Int
        /// Whether a delegate such as XNNPACK ran it, instead of a kernel of the engine itself.
        var isDelegated: Bool
        var calls: Int
        var total: Duration
        var mean: Duration { total / max(calls, 1) }
    }

    let runs: Int
    /// The slowest first.
    let operators: [Operator]
    /// The time of all operators together.
    let total: Duration

    init(runs: Int, operators: [Operator]) {
        self.runs = runs
        self.operators = operators.sorted { ($0.total, $1.node) > ($1.total, $0.node) }
        total = operators.reduce(.zero) { $0 + $1.total }
    }

    init(_ profile: Profile) {
        self.init(
            runs: profile.invocationCount,
            operators: profile.operators.map {
                Operator(
                    name: $0.name, node: $0.nodeIndex, isDelegated: $0.isDelegated, calls: $0.count, total: $0.total)
            })
    }

    /// The fraction of the time of all operators that `operator` took, 0 to 1.
    func share(of operator: Operator) -> Double {
        total > .zero ? `operator`.total / total : 0
    }
}
