import Foundation
import HearthTestSupport
import HearthValidation

/// A program that stands in for `hearth probe`: its verdict is the first word of the file that it is shown.
///
/// It is a file of the package, because one that a test just wrote cannot be started while another test's child
/// process still holds the descriptor it was written through.
enum StandInProbe {
    static let validator = ModelValidator(
        executable: TestPaths.fixtures.appendingPathComponent("API/probe").path, limits: limits)

    /// However busy the machine is, a verdict is never one about time.
    private static let limits: ProbeLimits = {
        var limits = ProbeLimits()
        (limits.wallSeconds, limits.measuringWallSeconds) = (3600, 3600)
        return limits
    }()

    /// File contents for each verdict; `text` makes them different.
    static func ok(_ text: String = "") -> String { "ok \(text)\n" }
    /// As sound as the others, with another input.
    static func otherContract(_ text: String = "") -> String { "other \(text)\n" }
    static func unsupported(_ text: String = "") -> String { "unsupported \(text)\n" }
    /// Sound, but its run crashes.
    static func dying(_ text: String = "") -> String { "dying \(text)\n" }
    static func malformed(_ text: String = "") -> String { "malformed \(text)\n" }
}
