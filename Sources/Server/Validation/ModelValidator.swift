import Glibc
public import HearthWire

/// Asks `hearth probe` about a file, because the server itself never parses model bytes.
///
/// The probe is this same program, started with an empty environment, with the model as its only descriptor besides
/// 0 to 2, in a cage that it closes around itself before it reads. What it prints is trusted no more than the model:
/// see `ReportReader`. `report` blocks for as long as the probes run; call it from a thread that may wait.
public struct ModelValidator: Sendable {
    private let executable: String
    private let limits: ProbeLimits
    private let turns: Turns

    /// `executable` is the `hearth` program; by default, the one that is running.
    public init(executable: String = "/proc/self/exe", limits: ProbeLimits = ProbeLimits()) {
        self.executable = executable
        self.limits = limits
        turns = Turns(count: limits.concurrentProbes)
    }

    /// What is known of the bytes behind `descriptor`, which stays the caller's.
    ///
    /// First a probe looks at the model; one that crashes or prints nonsense makes the file malformed, and so does one
    /// that takes too long twice, the second time with no other probe beside it. A second probe runs a model whose
    /// verdict is `ok`. That adds figures, or a note that says why there are none; if running the model crashes, its
    /// verdict becomes `unsupported`.
    /// - Throws: `ValidationError` when no probe could be run to its end, for reasons of the machine.
    public func report(descriptor: Int32) throws(ValidationError) -> ProbeReport {
        let report = try turns.take { () throws(ValidationError) in try look(descriptor: descriptor) }
        guard report.ranOutOfTime == true else { return report }
        return try turns.takeAlone { () throws(ValidationError) in try look(descriptor: descriptor) }
    }

    private func look(descriptor: Int32) throws(ValidationError) -> ProbeReport {
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
        case .tookTooLong:
            var report = Self.refusal("The check of the model took longer than \(limits.wallSeconds) seconds.")
            report.ranOutOfTime = true
            return report
        case .printedTooMuch:
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
public struct ValidationError: Error, Sendable, CustomStringConvertible {
    public let message: String

    public init(_ message: String) { self.message = message }

    public var description: String { message }
}
