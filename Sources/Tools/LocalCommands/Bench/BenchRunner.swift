import HearthModelFile
import TensorFlowLite

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
        let most = count ?? RunPlan.mostRuns
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
