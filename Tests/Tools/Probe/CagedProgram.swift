import Foundation
import Glibc
import HearthTestSupport
import HearthValidation
import HearthWire
import Testing

/// The real `hearth probe`, as the server starts it.
enum CagedProgram {
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
    private static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("hearth-full").path
}
