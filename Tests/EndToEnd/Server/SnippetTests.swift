import EndToEndDriving
import Foundation
import HearthTestSupport
import Testing

extension EndToEndSuites {
    /// Programs of the guides, run as a reader would. SwiftPM builds them together with the tests.
    @Suite struct SnippetTests {
        @Test func theProgramForFramesPrintsAnAnswerBeforeItEnds() throws {
            let program = try RunningProgram(
                "/bin/sh",
                [
                    "-c", #"printf '%s\n%s\n' "$2" "$2" | "$0" "$1""#, try HearthProgram.path("LabelFrames"),
                    SampleModels.file, SampleModels.picture,
                ])
            let ending = try program.end(seconds: 60)
            #expect(ending.exitCode == 0, "\(ending.errors)")
            #expect(ending.output.split(separator: "\n").last == "7")
        }
    }
}
