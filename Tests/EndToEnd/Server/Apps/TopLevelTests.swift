import EndToEndDriving
import Foundation
import HearthTestSupport
import Testing

extension EndToEndSuites {
    /// A program whose `main.swift` awaits Remote Config without any function around it.
    @Suite struct TopLevelTests {
        @Test func callsAtTheTopLevelHaveFetchedWhenTheyReturn() throws {
            let server = try ServerProcess()
            try CurlAdmin(server).put(parameters: ["greeting": "served"])
            let program = try RunningProgram(
                HearthProgram.path("TopLevelApp"), [],
                environment: ["HEARTH_APP_CONFIG": server.deviceFile, "HEARTH_STORE": server.data.path + "/device"])
            let ending = try program.waitForExit(seconds: 60)
            #expect(ending.exitCode == 0, "\(ending.errors)")
            #expect(
                ending.output == """
                    before default
                    fetched true default
                    activated true served
                    both true served
                    followed served

                    """)
        }

        private static let calls = [
            (call: "config.fetch()", type: "RemoteConfigFetchStatus"),
            (call: "config.fetch(withExpirationDuration: 0)", type: "RemoteConfigFetchStatus"),
            (call: "config.fetchAndActivate()", type: "RemoteConfigFetchAndActivateStatus"),
            (call: "config.activate()", type: "Bool"),
        ]

        private static func source(_ line: (_ call: String, _ type: String) -> String) -> String {
            "import HearthRemoteConfig\nlet config = RemoteConfig.remoteConfig()\n"
                + calls.map { line($0.call, $0.type) + "\n" }.joined()
        }

        /// Where the compiler would choose the call that does not wait, it says so: as an error, and as a warning before Swift 6.
        @Test func aCallThatWouldNotWaitIsToldByTheCompiler() throws {
            let trap = Self.source { call, _ in "try await \(call)" }
            let refused = try Compiler.check(trap, mode: 6)
            #expect(refused.exitCode == 1, "\(refused.errors)")
            let warned = try Compiler.check(trap, mode: 5)
            #expect(warned.exitCode == 0, "\(warned.errors)")
            for (line, call) in zip(3..., Self.calls) {
                for (said, kind) in [(refused, "error"), (warned, "warning")] {
                    #expect(
                        said.errors.split(separator: "\n").contains {
                            $0.contains("main.swift:\(line):") && $0.contains(" \(kind): instance method ")
                                && $0.contains(": \(call.type) = try await")
                        }, "\(said.errors)")
                }
            }
        }

        @Test func theFormThatWaitsAndTheOneOfAppsThatDoNotAreTakenWithoutAWord() throws {
            let advised = Self.source { call, type in "do { let result: \(type) = try await \(call); print(result) }" }
            let plain = Self.source { call, _ in call }
            for source in [advised, plain] {
                let said = try Compiler.check(source, mode: 6)
                #expect(said.exitCode == 0 && said.errors.isEmpty, "\(said.errors)")
            }
        }
    }

    /// The compiler that built the tests, with the modules that it built.
    private enum Compiler {
        /// The folder of the build, and those of the C modules, which the compiler wants to see as well.
        private static let script = #"""
            build=$1 mode=$2 file=$3 native=$4
            set --
            for folder in "$native"/*; do set -- "$@" -I "$folder"; done
            for map in "$build"/C*.build/module.modulemap; do set -- "$@" -Xcc "-fmodule-map-file=$map"; done
            exec swiftc -typecheck -swift-version "$mode" -I "$build/Modules" "$@" "$file"
            """#

        /// Checks a `main.swift` in a language mode; what it says is on standard error.
        static func check(_ source: String, mode: Int) throws -> ProcessResult {
            let folder = try TemporaryFolder()
            let file = try folder.write(Array(source.utf8), to: "main.swift")
            let build = URL(fileURLWithPath: try HearthProgram.path()).deletingLastPathComponent().path
            let native = TestPaths.package.appendingPathComponent("Sources/Native").path
            return try RunningProgram("/bin/sh", ["-c", script, "sh", build, "\(mode)", file, native]).waitForExit(
                seconds: 120)
        }
    }
}

extension EndToEndSuites {
    /// A program that a mistake of its programmer stops: `TopLevelApp` without its plist.
    @Suite struct CrashReportTests {
        private static let hint = "To see where: run it in a debugger, or with SWIFT_BACKTRACE=enable=yes.\n"

        /// What it says; `setting` is for Swift's runtime.
        private func errors(_ setting: String?) throws -> String {
            let settings = setting.map { ["SWIFT_BACKTRACE=\($0)"] } ?? []
            let ending = try RunningProgram(
                "/usr/bin/env",
                ["-u", "SWIFT_BACKTRACE", "-u", "HEARTH_APP_CONFIG"] + settings + [HearthProgram.path("TopLevelApp")]
            ).waitForExit(seconds: 120)
            #expect(ending.exitCode == nil, "ended by a signal")
            #expect(ending.errors.hasPrefix("Fatal error: `FirebaseApp.configure()` could not find a valid"))
            return ending.errors
        }

        @Test func theSentenceIsAllWhereNobodyAskedForAReport() throws {
            #expect(try errors(nil).hasSuffix(Self.hint))
        }

        @Test func whoSwitchedReportsOffIsToldHowToGetOne() throws {
            #expect(try errors("enable=no").hasSuffix(Self.hint))
        }

        @Test func whoGetsAReportIsNotToldHowToGetOne() throws {
            let report = try errors("enable=yes,color=no,symbolicate=off")
            #expect(report.contains("Program crashed: Aborted") && !report.contains(Self.hint))
        }
    }
}
