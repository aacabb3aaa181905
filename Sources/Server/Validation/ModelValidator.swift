import Dispatch
import Glibc
import HearthCatalog
package import HearthWire

/// Runs `hearth probe` on a file, because the server itself never parses model bytes.
///
/// The probe is a process of its own, started with an empty environment, with the model as its only descriptor besides
/// 0 to 2, in a sandbox that it sets up before it reads. Its output is trusted no more than the model: see
/// `ReportReader`. `report` blocks while the probes run; call it from a thread that may wait.
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

    /// The probes' report on the bytes behind `descriptor`, which the caller keeps.
    ///
    /// First a probe reads the model. A probe that crashes or prints a malformed report makes the file malformed. So
    /// does one that takes too long twice, the second time with no other probe at the same time. A second probe runs a
    /// model whose verdict is `ok`. It adds measurements, or a note why there are none; if running the model crashes,
    /// the verdict becomes `unsupported`.
    /// - Throws: `ProbeFailure` if no probe could run to its end because of the machine.
    package func report(descriptor: Int32) throws(ProbeFailure) -> ProbeReport {
        let report = try turns.withSlot { () throws(ProbeFailure) in try probe(descriptor: descriptor) }
        guard report.ranOutOfTime == true else { return report }
        return try turns.withAllSlots { () throws(ProbeFailure) in try probe(descriptor: descriptor) }
    }

    private func probe(descriptor: Int32) throws(ProbeFailure) -> ProbeReport {
        let report = try inspection(descriptor: descriptor)
        guard report.verdict == .ok, limits.measuredRuns > 0 else { return report }
        return ModelMeasurer(executable: executable, limits: limits).report(report, descriptor: descriptor)
    }

    private func inspection(descriptor: Int32) throws(ProbeFailure) -> ProbeReport {
        let process = try ProbeProcess(executable: executable, arguments: ["probe"], model: descriptor)
        let ending = try process.wait(seconds: limits.wallSeconds, outputBytes: limits.outputBytes)
        let reader = ReportReader(limits: limits)
        if case .exited(0, let output) = ending { return reader.read(output) }
        // A sound model has its report before the probe looks at how images go into it.
        if let report = reader.soundReport(in: process.collected) { return report }
        switch ending {
        case .exited(ProbeExitCode.notRun, _), .exited(Self.noLibrary, _):
            throw ProbeFailure(
                "This machine cannot run the check of models; `hearth probe 3< MODEL` says what it lacks.")
        case .exited(let status, _):
            return Self.refusal("The check of the model ended with exit code \(status).")
        case .killed(SIGXCPU):
            return Self.refusal("The check of the model took too much processor time.")
        case .killed(let signal) where CrashSignals.all.contains(signal):
            return Self.refusal(
                "The model crashed the engine (signal \(signal), \(String(cString: strsignal(signal)))).")
        case .killed(let signal):
            throw ProbeFailure(
                "The system or another program stopped the check of the model (signal \(signal), "
                    + "\(String(cString: strsignal(signal)))); the machine may be short of memory.")
        case .timedOut:
            var report = Self.refusal("The check of the model took longer than \(limits.wallSeconds) seconds.")
            report.ranOutOfTime = true
            return report
        case .outputTooLarge:
            return Self.refusal("The check of the model printed more than \(limits.outputBytes) bytes.")
        }
    }

    /// The exit code with which the system's loader ends a program whose libraries it cannot load.
    private static let noLibrary: Int32 = 127

    private static func refusal(_ message: String) -> ProbeReport {
        ProbeReport(verdict: .malformed, message: message)
    }
}

/// No probe could run to its end, or what it should run on images is no model for that.
package struct ProbeFailure: Error, Sendable, CustomStringConvertible {
    /// What is to blame.
    package enum Reason: Sendable {
        case machine
        case model
        /// The server is stopping.
        case stop
    }

    package let message: String
    package let reason: Reason

    package init(_ message: String, _ reason: Reason = .machine) {
        self.message = message
        self.reason = reason
    }

    static let stopping = ProbeFailure("The server is stopping.", .stop)

    package var description: String { message }
}

/// What the probes of one model may use. A probe limits itself before it reads the model; its parent enforces the wall
/// time.
package struct ProbeLimits: Sendable {
    /// The time from start to exit of the process that reads the model; then it is killed.
    package var wallSeconds: Double = 20
    /// The most timed runs, 1 to 10,000; 0 to run no model at all.
    package var measuredRuns: Int = 20
    /// After this time since the first timed run, no further one begins; at most 3600.
    package var measuredSeconds: Double = 5
    /// The time from start to exit of the process that runs the model; then it is killed. It must be enough for
    /// loading, one run that is not timed, and at least one timed run.
    package var measuringWallSeconds: Double = 15
    /// The most bytes that a probe may print.
    package var outputBytes: Int = 1 << 20
    /// The most probes at once; others wait.
    package var concurrentProbes: Int = 2
    /// The most items in each list of a contract.
    package var contractItems: Int = 4096
    /// The most characters in each text of a report.
    package var textCharacters: Int = 1000

    package init() {}
}

/// Runs a valid model in a sandboxed process, and adds the measurements to the report.
struct ModelMeasurer {
    let executable: String
    let limits: ProbeLimits

    /// Only a crash changes the verdict: the model may run elsewhere, but publishers should know.
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

    /// The result of the measuring process.
    private enum Outcome {
        case figures(ModelMeasurements)
        case none(String)
        case crash(signal: Int32)
    }

    private func outcome(descriptor: Int32) -> Outcome {
        let ending: ProbeProcess.Termination
        do throws(ProbeFailure) {
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

/// Admits at most `count` holders at once, or one that takes all slots; others wait.
final class ProbeSemaphore: Sendable {
    private let count: Int
    private let places: DispatchSemaphore
    /// Held by the one thread that collects all slots: two threads that collect at once would wait for each other for
    /// ever.
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

    /// Do not call it while holding a slot.
    func withAllSlots<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        gathering.wait()
        for _ in 0..<count { places.wait() }
        gathering.signal()
        defer { for _ in 0..<count { places.signal() } }
        return try body()
    }
}
