import Foundation
import HearthArguments
import HearthModelFile
import TensorFlowLite

/// Measures one model: loading, the first run, and many runs after a warm-up.
struct Benchmark {
    let loader: BenchLoader
    let options: Interpreter.Options
    /// Nil for as many as fill `RunPlan.measuringTime`.
    let runs: Int?
    /// Nil for as many as fill `RunPlan.warmUpTime`.
    let warmUpRuns: Int?
    /// Whether operators are measured too, in runs of their own.
    let isProfiling: Bool

    /// The most runs that are profiled: by then each operator has had its share.
    private static let maximumProfiledRuns = 1000

    func run(_ progress: RunProgress = RunProgress()) throws -> BenchResult {
        let peakBefore = ResidentMemory.peak()
        let loaded = try loader.load(options)
        let peakLoaded = ResidentMemory.peak()
        let runner = BenchRunner(subject: loaded.subject, progress: progress)
        try runner.fillInputs()
        let firstRun = try runner.times("First run", count: 1)
        let warmUp = try warmUp(runner)
        let times = try runner.times("Measuring", count: runs ?? Self.fittingRuns(firstRun, warmUp))
        let peakEnd = ResidentMemory.peak()
        let profile = try isProfiling ? profile(progress, measured: times.count) : nil
        return BenchResult(
            modelByteCount: loaded.modelByteCount, inputs: try Self.inputs(loaded.subject), load: loaded.times,
            firstRun: firstRun[0], warmUpRuns: warmUp.count, latency: try summary(times),
            memory: Self.memory(peakBefore, peakLoaded, peakEnd), profile: profile)
    }

    private func warmUp(_ runner: BenchRunner) throws -> [Duration] {
        guard warmUpRuns != 0 else { return [] }
        return try runner.times("Warming up", count: warmUpRuns, limit: warmUpRuns == nil ? RunPlan.warmUpTime : nil)
    }

    /// The first run does more than the others, so that it is asked only when there is no other.
    private static func fittingRuns(_ firstRun: [Duration], _ warmUp: [Duration]) -> Int {
        let typical = LatencySummary(warmUp.isEmpty ? firstRun : warmUp)?.median ?? .zero
        return RunPlan.runs(filling: RunPlan.measuringTime, each: typical)
    }

    /// Loads the model once more: an interpreter that can be profiled takes longer to make, and more memory.
    private func profile(_ progress: RunProgress, measured: Int) throws -> BenchProfile {
        var options = options
        options.isProfilingEnabled = true
        let loaded = try loader.load(options)
        let runner = BenchRunner(subject: loaded.subject, progress: progress)
        try runner.fillInputs()
        _ = try runner.times("First run", count: 1)
        let count = min(measured, Self.maximumProfiledRuns)
        return BenchProfile(try loaded.interpreter.profile { _ = try runner.times("Profiling", count: count) })
    }

    private func summary(_ times: [Duration]) throws -> LatencySummary {
        guard let summary = LatencySummary(times) else { throw CommandFailure("Nothing was measured.") }
        return summary
    }

    private static func inputs(_ subject: any BenchSubject) throws -> [BenchResult.Input] {
        try subject.inputs.enumerated().map { place, input in
            BenchResult.Input(
                name: input.name, type: input.tensor.type,
                shape: try subject.shape(ofInputAt: place).dimensions)
        }
    }

    private static func memory(_ before: UInt64?, _ loaded: UInt64?, _ end: UInt64?) -> BenchResult.Memory? {
        guard let before, let loaded, let end, loaded >= before else { return nil }
        return BenchResult.Memory(peak: end, loadGrowth: loaded - before)
    }
}

/// Runs what is measured and keeps the times.
struct BenchRunner {
    let subject: any BenchSubject
    let progress: RunProgress

    /// To be called once: what the inputs hold stays. Strings and the like have no memory of a fixed size to fill; the
    /// run tells whether the engine can do without.
    func fillInputs() throws {
        for (place, input) in subject.inputs.enumerated() where input.tensor.type.bitWidth > 0 {
            var pattern = InputPattern(seed: UInt64(place))
            try subject.withInputBytes(at: place) { pattern.fill($0, of: input.tensor.type) }
        }
    }

    /// The times of `count` runs, or of as many as begin within `limit`, at least one. Only the run itself is timed.
    func times(_ phase: String, count: Int?, limit: Duration? = nil) throws -> [Duration] {
        let most = count ?? RunPlan.maximumRuns
        var times: [Duration] = []
        times.reserveCapacity(count ?? 1024)
        let begin = ContinuousClock.now
        while times.count < most {
            progress.update(phase, done: times.count, total: count, at: ContinuousClock.now)
            let start = ContinuousClock.now
            try subject.invoke()
            let end = ContinuousClock.now
            times.append(end - start)
            if let limit, end - begin >= limit { break }
        }
        progress.clear()
        return times
    }
}

/// How often a model is run, where the user leaves that open: for about as long as people like to wait.
enum RunPlan {
    static let measuringTime = Duration.seconds(2)
    static let warmUpTime = Duration.milliseconds(500)
    /// Few enough to wait for, enough for a 90th percentile that means something.
    static let minimumRuns = 20
    /// Times are kept in memory until the end, and should not weigh on the memory that is measured.
    static let maximumRuns = 100_000
    /// The most that a user may ask for.
    static let maximumRequestedRuns = 1_000_000

    /// How many runs that take `each` fill `time`, between ``minimumRuns`` and ``maximumRuns``.
    static func runs(filling time: Duration, each: Duration) -> Int {
        guard each > .zero else { return maximumRuns }
        // Clamped before it becomes an integer, which it need not fit into.
        return Int(min(max(time / each, Double(minimumRuns)), Double(maximumRuns)).rounded())
    }
}

/// A line that tells on a terminal how many runs are done, and is silent where there is none.
final class RunProgress {
    private static let interval = Duration.milliseconds(100)
    private static let clearToEndOfLine = "\u{1B}[K"

    private let terminal: Terminal
    private var lastDrawing: ContinuousClock.Instant?

    init(terminal: Terminal = .standardError) { self.terminal = terminal }

    deinit { clear() }

    /// - Parameter total: nil while nobody knows.
    func update(_ phase: String, done: Int, total: Int?, at time: ContinuousClock.Instant) {
        guard terminal.isInteractive else { return }
        if let lastDrawing, time - lastDrawing < Self.interval { return }
        lastDrawing = time
        let text = "\(phase): \(done)" + (total.map { " of \($0)" } ?? "") + " runs"
        // The last column stays free: writing into it makes some terminals wrap.
        terminal.write("\r" + text.prefix(max(terminal.columns(), 1) - 1) + Self.clearToEndOfLine)
    }

    func clear() {
        guard lastDrawing != nil else { return }
        terminal.write("\r" + Self.clearToEndOfLine)
        lastDrawing = nil
    }
}

/// The memory of this process that is in RAM.
enum ResidentMemory {
    /// The most there has been so far, in bytes. Nil where the system does not tell. Wraps `VmHWM` of
    /// `/proc/self/status`.
    static func peak() -> UInt64? {
        FileManager.default.contents(atPath: "/proc/self/status").flatMap {
            peak(inStatus: String(decoding: $0, as: UTF8.self))
        }
    }

    /// - Parameter status: Lines such as `VmHWM:      5120 kB`.
    static func peak(inStatus status: String) -> UInt64? {
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }) else { return nil }
        let words = line.split(whereSeparator: \.isWhitespace)
        guard words.count == 3, words[2] == "kB", let kibibytes = UInt64(words[1]) else { return nil }
        let (bytes, overflow) = kibibytes.multipliedReportingOverflow(by: 1024)
        return overflow ? nil : bytes
    }
}
