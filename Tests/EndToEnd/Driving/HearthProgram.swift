import Foundation
import HearthTestSupport

/// The built `hearth` program, which lies beside the test bundle.
package enum HearthProgram {
    /// - Parameter name: `hearth`, or the program that it hands over to.
    package static func path(_ name: String = "hearth") throws -> String {
        let bundle = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let path = bundle.deletingLastPathComponent().appendingPathComponent(name).path
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw RunningProgram.Failure(
                description: "There is no program \(path). `scripts/build --build-tests` builds it.")
        }
        return path
    }

    /// Starts a shell script in which `"$0"` is the program, and `"$1"` and so on are `arguments`.
    package static func shell(_ script: String, _ arguments: String...) throws -> RunningProgram {
        try RunningProgram("/bin/sh", ["-c", script, path()] + arguments)
    }

    /// Runs `hearth` with `arguments` to its end.
    package static func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Ending {
        try RunningProgram(path(), arguments, environment: environment).end(seconds: 60)
    }
}
