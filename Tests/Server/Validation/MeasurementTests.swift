import HearthTestSupport
import HearthValidation
import HearthWire
import Testing

/// Whatever happens to the process that runs a model, what was known of the model stays known.
@Suite struct MeasurementTests {
    private let figures = ModelMeasurements(
        runs: 20, medianMicroseconds: 900, p90Microseconds: 1200, peakMemoryBytes: 50 << 20, loadMicroseconds: 3000,
        engine: "LiteRT 2.3.0")

    private func report(
        _ commands: String, inspection: ProbeReport = .sound, _ change: (inout ProbeLimits) -> Void = { _ in }
    ) throws -> ProbeReport {
        var limits = ProbeLimits()
        change(&limits)
        return try FakeProbe.measuring(commands, inspection: inspection).report(limits)
    }

    private func printing(_ report: MeasurementReport) throws -> String {
        "cat <<'END'\n\(String(decoding: try WireJSON.encode(report), as: UTF8.self))\nEND"
    }

    /// The sound report with a note, or with figures.
    private func sound(note: String? = nil, figures: ModelMeasurements? = nil) -> ProbeReport {
        var report = ProbeReport.sound
        report.figuresNote = note
        report.figures = figures
        return report
    }

    // MARK: What it tells

    @Test func figuresArriveAsTheyAre() throws {
        #expect(try report(printing(MeasurementReport(figures: figures))) == sound(figures: figures))
    }

    @Test func aFailureIsANote() throws {
        let failing = try printing(MeasurementReport(failure: "no room"))
        #expect(try report(failing) == sound(note: "Running the model on zeros failed: no room"))
    }

    @Test func thePlanIsThatOfTheLimits() throws {
        let read = try report("printf '{\"failure\": \"%s\"}' \"$*\"") {
            $0.measuredRuns = 7
            $0.measuredSeconds = 1.5
        }
        #expect(read.figuresNote?.hasSuffix(": probe --measure --runs 7 --seconds 1.5") == true)
    }

    @Test func onlySoundModelsAreRun() throws {
        let measuring = try printing(MeasurementReport(figures: figures))
        for inspection in [
            ProbeReport(verdict: .malformed, message: "no model"),
            ProbeReport(verdict: .unsupported, message: "no operator", contract: ProbeReport.sound.contract),
        ] {
            #expect(try report(measuring, inspection: inspection) == inspection)
        }
        #expect(try report(measuring) { $0.measuredRuns = 0 } == .sound)
    }

    // MARK: How it ends

    @Test func aHangIsANote() throws {
        let hanging = try report("exec sleep 1000") { $0.measuringWallSeconds = 0.2 }
        #expect(hanging == sound(note: "Running the model took longer than 0.2 seconds."))
        let hiding = try report("exec >&-; exec sleep 1000") { $0.measuringWallSeconds = 0.2 }
        #expect(hiding == hanging)
    }

    @Test func anEndlessTalkerIsANote() throws {
        #expect(try report("exec yes") == sound(note: "The measurement printed more than 1048576 bytes."))
    }

    @Test func anExitCodeIsANote() throws {
        #expect(try report("exit 3") == sound(note: "The measurement ended with exit code 3."))
    }

    /// As the system does with whoever uses too much.
    @Test(arguments: ["KILL", "XCPU"])
    func beingKilledIsANote(signal: String) throws {
        let read = try report("kill -\(signal) $$")
        #expect(read.verdict == .ok)
        #expect(read.figuresNote?.contains("too much memory or processor time") == true)
    }

    @Test(arguments: ["SEGV", "ABRT", "BUS", "FPE", "ILL"])
    func aCrashIsAWarning(signal: String) throws {
        let read = try report("kill -\(signal) $$")
        #expect(read.verdict == .unsupported)
        #expect(read.message?.hasPrefix("Running the model on zeros crashed the engine here (signal ") == true)
        #expect(read.contract == ProbeReport.sound.contract)
        #expect(read.figures == nil)
        #expect(read.figuresNote == "The run crashed.")
    }

    // MARK: What is not believed

    private static let members = [
        "runs", "medianMicroseconds", "p90Microseconds", "peakMemoryBytes", "loadMicroseconds",
    ]

    @Test(
        arguments: members,
        ["-1", "0", "9223372036854775807", "9223372036854775808", "1e300", "0.5", "NaN", "\"5\"", "[]"])
    func absurdFiguresAreNone(member: String, value: String) throws {
        let values = Self.members.map { "\"\($0)\": \($0 == member ? value : "5")" }.joined(separator: ", ")
        let read = try report("printf %s '{\"figures\": {\(values), \"engine\": \"x\"}}'")
        #expect(read == sound(note: "The measurement gave no readable figures."))
    }

    @Test(arguments: ["", "nonsense", "{}", "[]", #"{"figures": {}}"#, #"{"figures": 1}"#, #"{"failure": 1}"#])
    func nonsenseIsNoFigures(output: String) throws {
        let read = try report("printf %s '\(output)'")
        #expect(read == sound(note: "The measurement gave no readable figures."))
    }

    @Test func figuresUpToTheLimitsAreTaken() throws {
        func isTaken(_ change: (inout ModelMeasurements) -> Void) throws -> Bool {
            var figures = figures
            change(&figures)
            let read = try report(printing(MeasurementReport(figures: figures))) {
                $0.measuredRuns = 20
                $0.measuringWallSeconds = 10
            }
            return read.figures == figures
        }
        #expect(try isTaken { $0.runs = 20 })
        #expect(try !isTaken { $0.runs = 21 })
        #expect(try isTaken { $0.p90Microseconds = 10_000_000 })
        #expect(try !isTaken { $0.p90Microseconds = 10_000_001 })
        #expect(try isTaken { $0.loadMicroseconds = 10_000_000 })
        #expect(try !isTaken { $0.loadMicroseconds = 10_000_001 })
        #expect(try isTaken { $0.medianMicroseconds = $0.p90Microseconds })
        #expect(try !isTaken { $0.medianMicroseconds = $0.p90Microseconds + 1 })
        #expect(try isTaken { $0.peakMemoryBytes = 1 << 40 })
        #expect(try !isTaken { $0.peakMemoryBytes = 1 << 40 + 1 })
    }

    @Test func textsAreCutAndCleaned() throws {
        var hostile = figures
        hostile.engine = "a\u{1B}[2J\nb"
        let limits: (inout ProbeLimits) -> Void = { $0.textCharacters = 5 }
        #expect(try report(printing(MeasurementReport(figures: hostile)), limits).figures?.engine == "a [2J")
        let failing = try report(printing(MeasurementReport(failure: "a\u{1B}[2J\nb")), limits)
        #expect(failing.figuresNote == "Running the model on zeros failed: a [2J")
    }
}
