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
    private static let mostProfiledRuns = 1000

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
        let count = min(measured, Self.mostProfiledRuns)
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
