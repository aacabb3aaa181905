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
    /// Whether operators are measured too, in separate runs.
    let isProfiling: Bool

    /// The maximum number of profiled runs: with more, the results hardly change.
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

    /// The first run takes longer than others, so it counts only if there is no other.
    private static func fittingRuns(_ firstRun: [Duration], _ warmUp: [Duration]) -> Int {
        let typical = LatencySummary(warmUp.isEmpty ? firstRun : warmUp)?.median ?? .zero
        return RunPlan.runs(filling: RunPlan.measuringTime, each: typical)
    }

    /// Loads the model once more: an interpreter with profiling takes longer to make, and needs more memory.
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

/// Runs the graph and keeps the times.
struct BenchRunner {
    let subject: any BenchSubject
    let progress: RunProgress

    /// Call it once: the content of the inputs stays. Strings and other types without a fixed size cannot be filled; the run shows
    /// whether the engine needs them.
    func fillInputs() throws {
        for (place, input) in subject.inputs.enumerated() where input.tensor.type.bitWidth > 0 {
            var pattern = InputPattern(seed: UInt64(place))
            try subject.withInputBytes(at: place) { pattern.fill($0, of: input.tensor.type) }
        }
    }

    /// The times of `count` runs, or of as many as begin within `limit`, at least one. Times only the run itself.
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

/// How often a model runs if the user does not give a number: for a time that users accept.
enum RunPlan {
    static let measuringTime = Duration.seconds(2)
    static let warmUpTime = Duration.milliseconds(500)
    /// Few enough to wait for, and enough for a meaningful 90th percentile.
    static let minimumRuns = 20
    /// The times stay in memory until the end, and must not affect the measured memory.
    static let maximumRuns = 100_000
    /// The maximum that a user may give.
    static let maximumRequestedRuns = 1_000_000

    /// How many runs of the duration `each` fill `time`, between ``minimumRuns`` and ``maximumRuns``.
    static func runs(filling time: Duration, each: Duration) -> Int {
        guard each > .zero else { return maximumRuns }
        // Clamped before the conversion to an integer, which has a smaller range.
        return Int(min(max(time / each, Double(minimumRuns)), Double(maximumRuns)).rounded())
    }
}

/// A progress line with the number of runs, on a terminal. Elsewhere it is silent.
final class RunProgress {
    private static let interval = Duration.milliseconds(100)
    private static let clearToEndOfLine = "\u{1B}[K"

    private let terminal: Terminal
    private var lastDrawing: ContinuousClock.Instant?

    init(terminal: Terminal = .standardError) { self.terminal = terminal }

    deinit { clear() }

    /// - Parameter total: nil while it is unknown.
    func update(_ phase: String, done: Int, total: Int?, at time: ContinuousClock.Instant) {
        guard terminal.isInteractive else { return }
        if let lastDrawing, time - lastDrawing < Self.interval { return }
        lastDrawing = time
        let text = "\(phase): \(done)" + (total.map { " of \($0)" } ?? "") + " runs"
        // The last column stays free, because some terminals wrap after writing into it.
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
    /// The peak so far, in bytes. Nil if the system does not say it. Wraps `VmHWM` of
    /// `/proc/self/status`.
    static func peak() -> UInt64? {
        FileManager.default.contents(atPath: "/proc/self/status").flatMap {
            peak(inStatus: String(decoding: $0, as: UTF8.self))
        }
    }

    /// - Parameter status: lines such as `VmHWM:      5120 kB`.
    static func peak(inStatus status: String) -> UInt64? {
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }) else { return nil }
        let words = line.split(whereSeparator: \.isWhitespace)
        guard words.count == 3, words[2] == "kB", let kibibytes = UInt64(words[1]) else { return nil }
        let (bytes, overflow) = kibibytes.multipliedReportingOverflow(by: 1024)
        return overflow ? nil : bytes
    }
}
