import Dispatch
import Glibc
import HearthCatalog
package import HearthWire

/// Asks `hearth probe` about a file, because the server itself never parses model bytes.
///
/// The probe is a process of its own, started with an empty environment, with the model as its only descriptor besides
/// 0 to 2, in a sandbox that it closes around itself before it reads. What it prints is trusted no more than the model:
/// see `ReportReader`. `report` blocks for as long as the probes run; call it from a thread that may wait.
package struct ModelValidator: Sendable {
    private let executable: String
    private let limits: ProbeLimits
    private let turns: ProbeSemaphore

    /// - Parameter executable: a program that looks at a model when it is started as `PROGRAM probe`, as `hearth` does.
    package init(executable: String, limits: ProbeLimits = ProbeLimits()) {
        self.executable = executable
        self.limits = limits
        turns = ProbeSemaphore(count: limits.concurrentProbes)
    }

    /// What is known of the bytes behind `descriptor`, which stays the caller's.
    ///
    /// First a probe looks at the model; one that crashes or prints nonsense makes the file malformed, and so does one
    /// that takes too long twice, the second time with no other probe beside it. A second probe runs a model whose
    /// verdict is `ok`. That adds figures, or a note that says why there are none; if running the model crashes, its
    /// verdict becomes `unsupported`.
    /// - Throws: `ValidationError` when no probe could be run to its end, for reasons of the machine.
    package func report(descriptor: Int32) throws(ValidationError) -> ProbeReport {
        let report = try turns.withSlot { () throws(ValidationError) in try probe(descriptor: descriptor) }
        guard report.ranOutOfTime == true else { return report }
        return try turns.withAllSlots { () throws(ValidationError) in try probe(descriptor: descriptor) }
    }

    private func probe(descriptor: Int32) throws(ValidationError) -> ProbeReport {
        let report = try inspection(descriptor: descriptor)
        guard report.verdict == .ok, limits.measuredRuns > 0 else { return report }
        return ModelMeasurer(executable: executable, limits: limits).report(report, descriptor: descriptor)
    }

    private func inspection(descriptor: Int32) throws(ValidationError) -> ProbeReport {
        let process = try ProbeProcess(executable: executable, arguments: ["probe"], model: descriptor)
        let ending = try process.wait(seconds: limits.wallSeconds, outputBytes: limits.outputBytes)
        switch ending {
        case .exited(0, let output):
            return ReportReader(limits: limits).read(output)
        case .exited(ProbeExitCode.notRun, _), .exited(Self.noLibrary, _):
            throw ValidationError(
                "This machine cannot run the check of models; `hearth probe 3< MODEL` says what it lacks.")
        case .exited(let status, _):
            return Self.refusal("The check of the model ended with exit code \(status).")
        case .killed(SIGXCPU):
            return Self.refusal("The check of the model took too much processor time.")
        case .killed(let signal) where CrashSignals.all.contains(signal):
            return Self.refusal(
                "The model crashed the engine (signal \(signal), \(String(cString: strsignal(signal)))).")
        case .killed(let signal):
            throw ValidationError(
                "Something outside stopped the check of the model (signal \(signal), "
                    + "\(String(cString: strsignal(signal)))); the machine may be short of memory.")
        case .timedOut:
            var report = Self.refusal("The check of the model took longer than \(limits.wallSeconds) seconds.")
            report.ranOutOfTime = true
            return report
        case .outputTooLarge:
            return Self.refusal("The check of the model printed more than \(limits.outputBytes) bytes.")
        }
    }

    /// What the system's loader ends a program with whose libraries it cannot load.
    private static let noLibrary: Int32 = 127

    private static func refusal(_ message: String) -> ProbeReport {
        ProbeReport(verdict: .malformed, message: message)
    }
}

/// No probe could be run to its end: the machine's fault, not the file's.
package struct ValidationError: Error, Sendable, CustomStringConvertible {
    package let message: String

    package init(_ message: String) { self.message = message }

    package var description: String { message }
}

/// What the probes of one model may use. A probe caps itself before it reads the model; the wall time is the parent's to
/// enforce.
package struct ProbeLimits: Sendable {
    /// From start to exit of the process that looks at the model; then it is killed.
    package var wallSeconds: Double = 20
    /// Runs to time at most, 1 to 10,000; 0 to run no model at all.
    package var measuredRuns: Int = 20
    /// No timed run begins when this has passed since the first; at most 3600.
    package var measuredSeconds: Double = 5
    /// From start to exit of the process that runs the model; then it is killed. Loading, a run that is not timed and
    /// at least one that is have to fit in.
    package var measuringWallSeconds: Double = 15
    /// What a probe may print.
    package var outputBytes: Int = 1 << 20
    /// Models at once; more wait for their turn.
    package var concurrentProbes: Int = 2
    /// Items in each list of a contract.
    package var contractItems: Int = 4096
    /// Characters in each text of a report.
    package var textCharacters: Int = 1000

    package init() {}
}

/// Has a sandboxed process run a model that the probe found sound, and adds to the report what that took.
struct ModelMeasurer {
    let executable: String
    let limits: ProbeLimits

    /// Crashing is all that changes the verdict: the model may run elsewhere, but whoever publishes it should know.
    func report(_ report: ProbeReport, descriptor: Int32) -> ProbeReport {
        var report = report
        switch outcome(descriptor: descriptor) {
        case .figures(let figures):
            report.figures = figures
        case .none(let note):
            report.figuresNote = note
        case .crash(let signal):
            report.verdict = .unsupported
            report.message =
                "\(Verdict.crashText) (signal \(signal), "
                + "\(String(cString: strsignal(signal))))."
            report.figuresNote = "The run crashed."
        }
        return report
    }

    private enum Outcome {
        case figures(ModelMeasurements)
        case none(String)
        case crash(signal: Int32)
    }

    private func outcome(descriptor: Int32) -> Outcome {
        let ending: ProbeProcess.Termination
        do throws(ValidationError) {
            let process = try ProbeProcess(executable: executable, arguments: arguments, model: descriptor)
            ending = try process.wait(seconds: limits.measuringWallSeconds, outputBytes: limits.outputBytes)
        } catch {
            return .none(error.message)
        }
        switch ending {
        case .exited(0, let output):
            let report = MeasurementReader(limits: limits).read(output)
            return report.figures.map(Outcome.figures) ?? .none(report.failure ?? "")
        case .exited(ProbeExitCode.notRun, _):
            return .none("The measurement could not be run on the server.")
        case .exited(let status, _):
            return .none("The measurement ended with exit code \(status).")
        case .killed(SIGSYS):
            return .none("The measurement was stopped: the model made a system call that the sandbox forbids.")
        case .killed(let signal) where CrashSignals.all.contains(signal):
            return .crash(signal: signal)
        case .killed(let signal):
            return .none(
                "The measurement was stopped (signal \(signal)): it took too much memory or processor time.")
        case .timedOut:
            return .none("Running the model took longer than \(limits.measuringWallSeconds) seconds.")
        case .outputTooLarge:
            return .none("The measurement printed more than \(limits.outputBytes) bytes.")
        }
    }

    private var arguments: [String] {
        ["probe", "--measure", "--runs", "\(limits.measuredRuns)", "--seconds", "\(limits.measuredSeconds)"]
    }
}

/// At most `count` holders at once, or one that is alone; the others wait.
final class ProbeSemaphore: Sendable {
    private let count: Int
    private let places: DispatchSemaphore
    /// Held by the one who gathers all places: two who gather at once would wait for each other.
    private let gathering = DispatchSemaphore(value: 1)

    init(count: Int) {
        self.count = max(1, count)
        places = DispatchSemaphore(value: self.count)
    }

    func withSlot<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        places.wait()
        defer { places.signal() }
        return try body()
    }

    /// Not to be called by a holder.
    func withAllSlots<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        gathering.wait()
        for _ in 0..<count { places.wait() }
        gathering.signal()
        defer { for _ in 0..<count { places.signal() } }
        return try body()
    }
}
