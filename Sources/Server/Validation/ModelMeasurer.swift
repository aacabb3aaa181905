import Glibc
import HearthCatalog
import HearthWire

/// Has a caged process run a model that the probe found sound, and adds to the report what that took.
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
        case figures(ModelFigures)
        case none(String)
        case crash(signal: Int32)
    }

    private func outcome(descriptor: Int32) -> Outcome {
        let ending: ProbeProcess.Ending
        do throws(ValidationError) {
            let process = try ProbeProcess(executable: executable, arguments: arguments, model: descriptor)
            ending = try process.wait(seconds: limits.measuringWallSeconds, outputBytes: limits.outputBytes)
        } catch {
            return .none(error.message)
        }
        switch ending {
        case .exited(0, let output):
            let report = FiguresReader(limits: limits).read(output)
            return report.figures.map(Outcome.figures) ?? .none(report.failure ?? "")
        case .exited(ProbeExitCode.notRun, _):
            return .none("The measurement could not be run on the server.")
        case .exited(let status, _):
            return .none("The measurement ended with exit code \(status).")
        case .killed(SIGSYS):
            return .none("The measurement was stopped: the run asked the system for what the cage does not give.")
        case .killed(let signal) where CrashSignals.all.contains(signal):
            return .crash(signal: signal)
        case .killed(let signal):
            return .none(
                "The measurement was stopped (signal \(signal)): it took too much memory or processor time.")
        case .tookTooLong:
            return .none("Running the model took longer than \(limits.measuringWallSeconds) seconds.")
        case .printedTooMuch:
            return .none("The measurement printed more than \(limits.outputBytes) bytes.")
        }
    }

    private var arguments: [String] {
        ["probe", "--measure", "--runs", "\(limits.measuredRuns)", "--seconds", "\(limits.measuredSeconds)"]
    }
}
