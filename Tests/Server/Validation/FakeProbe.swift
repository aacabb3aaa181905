import Foundation
import Glibc
import HearthTestSupport
import HearthValidation
import HearthWire
import Testing

/// A probe that its model took over: in the place of the `hearth` program runs a shell that does what the model says.
struct FakeProbe {
    private let folder: TemporaryFolder
    private let model: String

    init(_ commands: String) throws {
        folder = try TemporaryFolder()
        model = try folder.write(Array(commands.utf8), to: "model.tflite")
    }

    /// What the validator makes of it, unless told otherwise without having the model run.
    func report(_ limits: ProbeLimits = .withoutRuns) throws -> ProbeReport {
        let descriptor = open(model, O_RDONLY | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        // Not a script of each test's own: what was written a moment ago may be "busy" when it is started.
        let program = TestPaths.fixtures.appendingPathComponent("Validation/probe").path
        return try ModelValidator(executable: program, limits: limits).report(descriptor: descriptor)
    }

    /// One that prints `report`.
    static func printing(_ report: ProbeReport) throws -> FakeProbe {
        let json = String(decoding: try WireJSON.encode(report), as: UTF8.self)
        return try FakeProbe("cat <<'END'\n\(json)\nEND")
    }

    /// One that finds the model sound and takes over when it is to be run.
    static func measuring(_ commands: String, inspection: ProbeReport = .sound) throws -> FakeProbe {
        let json = String(decoding: try WireJSON.encode(inspection), as: UTF8.self)
        return try FakeProbe("if [ \"$2\" != --measure ]; then cat <<'END'; exit 0; fi\n\(json)\nEND\n\(commands)")
    }
}

extension ProbeReport {
    /// Of a model that can be run.
    static let sound = ProbeReport(
        verdict: .ok, contract: ModelContract(inputs: [], outputs: [], operators: [], signatures: []))
}

extension ProbeLimits {
    static let withoutRuns: ProbeLimits = {
        var limits = ProbeLimits()
        limits.measuredRuns = 0
        return limits
    }()
}
