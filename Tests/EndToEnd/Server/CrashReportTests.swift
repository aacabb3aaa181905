import EndToEndDriving
import HearthTestSupport
import Testing

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
            ).end(seconds: 120)
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
