import HearthModelFile
import TensorFlowLite

/// The output of `hearth bench --json`.
struct BenchReport: Encodable {
    struct Input: Encodable {
        var name: String
        var type: String
        var shape: [Int]
    }

    struct Load: Encodable {
        var openNanoseconds: Int64
        var compileNanoseconds: Int64
        var allocateNanoseconds: Int64
        var totalNanoseconds: Int64
    }

    struct Latency: Encodable {
        var minimumNanoseconds: Int64
        var medianNanoseconds: Int64
        var p90Nanoseconds: Int64
        var p99Nanoseconds: Int64
        var maximumNanoseconds: Int64
        var meanNanoseconds: Int64
    }

    struct Memory: Encodable {
        var peakResidentBytes: UInt64
        var loadGrowthBytes: UInt64
    }

    struct Profile: Encodable {
        struct Operator: Encodable {
            var name: String
            var node: Int
            var isDelegated: Bool
            /// 0 to 1.
            var share: Double
            var calls: Int
            var totalNanoseconds: Int64
            var meanNanoseconds: Int64
        }

        var runs: Int
        var operators: [Operator]
    }

    var model: String
    var modelBytes: Int
    var engineVersion: String
    var kernels: String
    var threads: Int
    var signature: String?
    var inputs: [Input]
    var load: Load
    var firstRunNanoseconds: Int64
    var warmUpRuns: Int
    var runs: Int
    var latency: Latency
    var memory: Memory?
    var profile: Profile?
}

extension BenchReport {
    init(_ result: BenchResult, _ setting: BenchSetting) {
        model = setting.model
        modelBytes = result.modelByteCount
        engineVersion = Runtime.version
        kernels = setting.kernels.rawValue
        threads = setting.threads
        signature = setting.signature
        inputs = result.inputs.map { Input(name: $0.name, type: $0.type.description, shape: $0.shape) }
        load = Load(result.load)
        firstRunNanoseconds = result.firstRun.nanoseconds
        warmUpRuns = result.warmUpRuns
        runs = result.latency.count
        latency = Latency(result.latency)
        memory = result.memory.map { Memory(peakResidentBytes: $0.peak, loadGrowthBytes: $0.loadGrowth) }
        profile = result.profile.map(Profile.init)
    }
}

extension BenchReport.Load {
    init(_ times: BenchLoader.Times) {
        self.init(
            openNanoseconds: times.open.nanoseconds, compileNanoseconds: times.compile.nanoseconds,
            allocateNanoseconds: times.allocate.nanoseconds, totalNanoseconds: times.total.nanoseconds)
    }
}

extension BenchReport.Latency {
    init(_ summary: LatencySummary) {
        self.init(
            minimumNanoseconds: summary.minimum.nanoseconds, medianNanoseconds: summary.median.nanoseconds,
            p90Nanoseconds: summary.p90.nanoseconds, p99Nanoseconds: summary.p99.nanoseconds,
            maximumNanoseconds: summary.maximum.nanoseconds, meanNanoseconds: summary.mean.nanoseconds)
    }
}

extension BenchReport.Profile {
    init(_ profile: BenchProfile) {
        runs = profile.runs
        operators = profile.operators.map {
            Operator(
                name: $0.name, node: $0.node, isDelegated: $0.isDelegated, share: profile.share(of: $0),
                calls: $0.calls, totalNanoseconds: $0.total.nanoseconds, meanNanoseconds: $0.mean.nanoseconds)
        }
    }
}
