import HearthModelFile
import TensorFlowLite

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
