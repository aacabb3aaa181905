import Foundation
import Glibc
import HearthProbe
import HearthTestSupport
import HearthValidation
import HearthWire
import Testing

/// Real models, run by the real sandboxed process.
@Suite struct ModelMeasurementTests {
    @Test(arguments: ["digits-labeler", "digits-labeler-float", "digits-detector"])
    func theMeasurementsOfARealModelArePlausible(name: String) throws {
        let report = try SandboxedProbe.report(TestPaths.package.path + "/Models/\(name)/model.tflite")
        #expect(report.verdict == .ok)
        #expect(report.figuresNote == nil)
        let figures = try #require(report.figures)
        #expect((1...3).contains(figures.runs))
        #expect(figures.medianMicroseconds > 0)
        #expect(figures.p90Microseconds >= figures.medianMicroseconds)
        #expect(figures.loadMicroseconds > 0)
        #expect((10 << 20..<1 << 30).contains(figures.peakMemoryBytes))
        #expect(figures.engine == "LiteRT 2.3.0")
    }

    /// Also those whose inputs are open in size, strings, of every type; loops; outputs whose size depends on data; state.
    @Test(arguments: [
        "models/add_batch", "models/strings", "models/every_type", "engine/counting_loop", "models/where",
        "models/signatures",
    ])
    func modelsOfEveryKindAreRun(name: String) throws {
        let report = try SandboxedProbe.report(SandboxedProbe.fixture("\(name).tflite"))
        #expect(report.verdict == .ok)
        #expect(report.figures != nil, "\(report.figuresNote ?? "")")
    }

    /// The engine seeds them from a file, which the sandbox does not let it open.
    @Test(arguments: ["random_uniform", "random_normal", "multinomial"])
    func randomNumbersWorkInTheCage(name: String) throws {
        let report = try SandboxedProbe.report(SandboxedProbe.fixture("probe/\(name).tflite"))
        #expect(report.verdict == .ok, "\(report.message ?? "")")
        #expect(report.figures != nil, "\(report.figuresNote ?? "")")
    }

    @Test func aModelThatCrashesWhenRunIsUnsupported() throws {
        let report = try SandboxedProbe.report(SandboxedProbe.fixture("probe/crash.tflite"))
        #expect(report.verdict == .unsupported)
        #expect(report.message == "Running the model on zeros crashed the engine here (signal 6, Aborted).")
        #expect(report.contract?.operators.map(\.name) == ["ADD", "BROADCAST_ARGS"])
        #expect(report.figures == nil)
    }

    /// Zeros need not be an input that the model can take.
    @Test(arguments: [
        ("models/divide_int32", "(DIV) failed to invoke"),
        ("probe/wrong_lengths", "(REVERSE_SEQUENCE) failed to invoke"),
        ("probe/large", "(FILL) failed to invoke"),
    ])
    func aRunThatFailsIsANote(name: String, reason: String) throws {
        let report = try SandboxedProbe.report(SandboxedProbe.fixture("\(name).tflite"))
        #expect(report.verdict == .ok)
        #expect(report.figures == nil)
        #expect(report.figuresNote?.hasPrefix("Running the model on zeros failed: ") == true)
        #expect(report.figuresNote?.contains(reason) == true)
    }

    @Test func anEndlessModelIsANote() throws {
        let report = try SandboxedProbe.report(SandboxedProbe.fixture("engine/endless_loop.tflite")) {
            $0.measuringWallSeconds = 0.5
        }
        #expect(report.verdict == .ok)
        #expect(report.figures == nil)
        #expect(report.figuresNote == "Running the model took longer than 0.5 seconds.")
    }

    /// A child begins as a part of its parent, whose memory is none of the model's.
    @Test func theMemoryOfTheServerIsNotCounted() throws {
        let server = UnsafeMutableRawPointer.allocate(byteCount: 512 << 20, alignment: 4096)
        defer { server.deallocate() }
        server.initializeMemory(as: UInt8.self, repeating: 1, count: 512 << 20)
        let report = try SandboxedProbe.report(SandboxedProbe.fixture("models/add.tflite"))
        #expect(try #require(report.figures).peakMemoryBytes < 256 << 20)
    }

    /// A folder in the place of the model: nothing that the bytes of a model could do.
    @Test func whatCannotBeReadIsNotTheModelsFault() {
        #expect(throws: ProbeFailure.self) { try SandboxedProbe.report(SandboxedProbe.fixture("probe")) }
    }
}

@Suite struct MeasurementPlanTests {
    @Test(arguments: [(1, 5), (10_000, 5), (20, 0.001), (20, 3600)])
    func plansWithinTheLimitsAreTaken(runs: Int, seconds: Double) {
        #expect(MeasurementPlan(runs: runs, seconds: seconds) != nil)
    }

    @Test(arguments: [(0, 5), (-1, 5), (10_001, 5), (20, 0), (20, -1), (20, 3600.1), (20, .nan), (20, .infinity)])
    func otherPlansAreNot(runs: Int, seconds: Double) {
        #expect(MeasurementPlan(runs: runs, seconds: seconds) == nil)
    }
}

/// The real `hearth probe`, as the server starts it.
enum SandboxedProbe {
    /// What the server learns of the model file at `path`.
    static func report(_ path: String, _ change: (inout ProbeLimits) -> Void = { _ in }) throws -> ProbeReport {
        var limits = ProbeLimits()
        limits.measuredRuns = 3
        change(&limits)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        try #require(descriptor >= 0, "\(path)")
        defer { close(descriptor) }
        return try ModelValidator(executable: program, limits: limits).report(descriptor: descriptor)
    }

    static func fixture(_ name: String) -> String { TestPaths.fixtures.appendingPathComponent(name).path }

    /// Built beside the test bundle.
    static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("hearth-full").path
}
