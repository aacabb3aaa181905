import EndToEndDriving
import Foundation
import Glibc
import HearthTestSupport
import Testing

extension EndToEndSuites {
    /// Two programs that are one to their user.
    @Suite struct FullProgramTests {
        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        @Test func bothProgramsDescribeThemselvesAlike() throws {
            for arguments in [
                ["--help"], ["--version"], ["help", "label"], ["serve", "--help"], ["help", "models", "push"],
            ] {
                let quick = try HearthProgram.run(arguments)
                let full = try RunningProgram(HearthProgram.path("hearth-full"), arguments).waitForExit(seconds: 60)
                #expect(quick.exitCode == 0 && full.exitCode == 0, "\(arguments)")
                #expect(quick.output == full.output && !quick.output.isEmpty, "\(arguments)")
            }
        }

        @Test func theQuickProgramHasNeitherNetworkNorServerCode() throws {
            let libraries = try RunningProgram("/usr/bin/ldd", [HearthProgram.path()]).waitForExit(seconds: 60).output
            #expect(libraries.contains("libLiteRt"))
            for library in ["libcurl", "libmicrohttpd", "libsqlite3", "libssl", "libseccomp", "libre2"] {
                #expect(!libraries.contains(library), "\(library)")
            }
            let program = try Data(contentsOf: URL(fileURLWithPath: HearthProgram.path()), options: .alwaysMapped)
            // As symbols have it: the length before the name. A mere mention is no code.
            func hasCode(of module: String) -> Bool {
                program.range(of: Data("\(module.utf8.count)\(module)".utf8)) != nil
            }
            #expect(hasCode(of: "HearthVision"))
            for module in ["HearthTransport", "HearthDelivery", "HearthHTTP", "HearthManagement", "HearthValidation"] {
                #expect(!hasCode(of: module), "\(module)")
            }
        }

        @Test func linksLeadToTheFullProgram() throws {
            let link = folder.path + "/hearth"
            symlink(try HearthProgram.path(), link)
            let ending = try RunningProgram(link, ["inspect", SampleModels.file]).waitForExit(seconds: 60)
            #expect(ending.exitCode == 0 && ending.output.contains("operators:"))
        }

        @Test func withoutTheFullProgramTheRestWorks() throws {
            let alone = folder.path + "/hearth"
            try FileManager.default.copyItem(atPath: HearthProgram.path(), toPath: alone)
            let label = try RunningProgram(alone, ["label", SampleModels.bundle, SampleModels.image]).waitForExit(
                seconds: 60)
            #expect(label.exitCode == 0 && label.output.contains(" 7\n"))
            #expect(try RunningProgram(alone, ["--help"]).waitForExit(seconds: 60).output.contains("serve"))

            for arguments in [["serve"], ["inspect", SampleModels.file], ["label", "digits", SampleModels.image]] {
                let ending = try RunningProgram(alone, arguments).waitForExit(seconds: 60)
                #expect(ending.exitCode == 1 && ending.output.isEmpty, "\(arguments)")
                #expect(ending.errorLines.count == 1 && ending.errors.contains("hearth-full"), "\(ending.errors)")
                #expect(ending.errors.contains(folder.path), "\(ending.errors)")
            }
        }

        /// Not text to Swift, and a file's name all the same.
        @Test func argumentsAreForwardedByteForByte() throws {
            let script = #"cp "$1" "$2/$(printf 'm\377.tflite')" && exec "$0" inspect "$2/$(printf 'm\377.tflite')""#
            let ending = try HearthProgram.shell(script, SampleModels.file, folder.path).waitForExit(seconds: 60)
            // Swift reads names as text, so the file is not found; the name was repaired once, not twice.
            #expect(ending.exitCode == 1)
            #expect(ending.errors.contains("m\u{FFFD}.tflite"))
        }
    }
}
