import EndToEndDriving
import Foundation
import Glibc
import HearthTestSupport
import Testing

extension EndToEndSuites {
    /// Where results go, and what is said when they cannot go there.
    @Suite struct OutputTests {
        private let folder: TemporaryFolder
        private let target: String

        init() throws {
            folder = try TemporaryFolder()
            target = folder.path + "/packed.tflite"
        }

        private func pack(_ output: String) throws -> ProcessResult {
            try HearthProgram.run(["pack", SampleModels.bundle, "-o", output])
        }

        private func kind(_ path: String) -> mode_t {
            var info = stat()
            return lstat(path, &info) == 0 ? info.st_mode & S_IFMT : 0
        }

        private func packed() throws -> [UInt8] {
            let path = folder.path + "/expected.tflite"
            #expect(try pack(path).exitCode == 0)
            return try SampleModels.bytes(path)
        }

        @Test func aFileIsReplacedAndKeepsItsPermissions() throws {
            let expected = try packed()
            _ = try folder.write([1], to: "packed.tflite")
            chmod(target, 0o600)
            #expect(try pack(target).output.hasPrefix(target + " ("))
            #expect(try SampleModels.bytes(target) == expected)
            var info = stat()
            stat(target, &info)
            #expect(info.st_mode & 0o777 == 0o600)
        }

        /// To a file that is there, and to one that is not yet.
        @Test(arguments: [true, false])
        func aLinkStaysALink(isThere: Bool) throws {
            let expected = try packed()
            if isThere { _ = try folder.write([1], to: "real/model") }
            mkdir(folder.path + "/real", 0o755)
            symlink("real/model", target)
            #expect(try pack(target).exitCode == 0)
            #expect(kind(target) == S_IFLNK)
            #expect(try SampleModels.bytes(folder.path + "/real/model") == expected)
        }

        @Test func aPipeIsWrittenInto() throws {
            let expected = try packed()
            mkfifo(target, 0o600)
            let copy = folder.path + "/copy"
            let script = #""$0" pack "$1" -o "$2" & cat "$2" >"$3"; wait $!"#
            let ending = try HearthProgram.shell(script, SampleModels.bundle, target, copy).waitForExit(seconds: 30)
            #expect(ending.exitCode == 0)
            #expect(kind(target) == S_IFIFO)
            #expect(try SampleModels.bytes(copy) == expected)
        }

        /// Nothing but the bytes goes to whoever reads them.
        @Test func standardOutputGetsTheBytesAlone() throws {
            let expected = try packed()
            let copy = folder.path + "/copy"
            let script = #""$0" pack "$1" -o /dev/stdout | cat >"$2""#
            #expect(try HearthProgram.shell(script, SampleModels.bundle, copy).waitForExit(seconds: 30).exitCode == 0)
            #expect(try SampleModels.bytes(copy) == expected)
        }

        @Test func errorsNameWhatTheUserNamed() throws {
            let cases = [
                ("/nonexistent/x", "error: Cannot write /nonexistent/x: No such file or directory"),
                ("/dev/full", "error: Cannot write /dev/full: No space left on device"),
                (folder.path, "error: Cannot write \(folder.path): it is a folder; name a file in it."),
                (target + "/", "error: Cannot write \(target)/: it is a folder; name a file in it."),
                ("", "error: The name of the file to write is empty."),
            ]
            for (output, text) in cases {
                let ending = try pack(output)
                #expect(ending.exitCode == 1)
                #expect(ending.errors == text + "\n")
            }
        }

        @Test func packReplacesOnlyWhatWasNamed() throws {
            let script = #"cd "$1" && exec "$0" pack "$2""#
            let first = try HearthProgram.shell(script, folder.path, SampleModels.bundle).waitForExit(seconds: 30)
            #expect(first.exitCode == 0)
            let second = try HearthProgram.shell(script, folder.path, SampleModels.bundle).waitForExit(seconds: 30)
            #expect(second.exitCode == 1)
            #expect(second.errorLines.count == 1)
            #expect(second.errors.contains("digits-labeler.tflite exists already") && second.errors.contains("-o"))
        }

        @Test func aFullDiskBehindStandardOutputIsAFailure() throws {
            let ending = try HearthProgram.shell(#"exec "$0" inspect "$1" >/dev/full"#, SampleModels.file)
                .waitForExit(seconds: 30)
            #expect(ending.exitCode == 1)
            #expect(ending.errors == "error: Cannot write to standard output: No space left on device\n")
        }

        @Test func aReaderThatLeavesIsNoFailure() throws {
            let script = #"trap '' PIPE; { "$0" inspect "$1"; echo $? >&2; } | true"#
            #expect(try HearthProgram.shell(script, SampleModels.file).waitForExit(seconds: 30).errors == "0\n")
        }
    }
}

extension EndToEndSuites {
    /// Errors for programs and for people.
    @Suite struct ErrorFormTests {
        private static let programs = ["hearth", "hearth-full"]

        private func run(_ program: String, _ arguments: [String]) throws -> ProcessResult {
            // A folder without credentials, and without a named server.
            try RunningProgram(
                HearthProgram.path(program), arguments,
                environment: ["HEARTH_CREDENTIALS": "/nowhere/key.json", "HEARTH_APP_CONFIG": "/nowhere/config.plist"]
            ).waitForExit(seconds: 60)
        }

        private func told(_ ending: ProcessResult) throws -> [String: String] {
            let object = try JSONSerialization.jsonObject(with: Data(ending.errors.utf8))
            return try #require((object as? [String: [String: String]])?["error"])
        }

        @Test(
            "with --json an error is one object, with the same exit code",
            arguments: programs,
            [
                (["label", "gone.tflite", "x.png"], 1, "FAILED"), (["label"], 2, "USAGE"), (["nonsense"], 2, "USAGE"),
                (["inspect", "gone.tflite"], 1, "FAILED"), (["models", "list"], 1, "FAILED"),
                (["device", "list"], 1, "FAILED"), (["pack", "gone"], 1, "FAILED"),
                (["pack", "gone", "--nonsense"], 2, "USAGE"),
            ] as [([String], Int32, String)])
        func json(program: String, wrong: (arguments: [String], exitCode: Int32, code: String)) throws {
            let plain = try run(program, wrong.arguments)
            let ending = try run(program, wrong.arguments + ["--json"])
            #expect(ending.exitCode == wrong.exitCode && plain.exitCode == wrong.exitCode)
            #expect(ending.output.isEmpty)
            let error = try told(ending)
            #expect(error["code"] == wrong.code)
            let message = try #require(error["message"])
            #expect(plain.errors.hasPrefix("error: \(message)\n"))
        }

        @Test("an old name is a usage error, also as JSON", arguments: programs)
        func oldName(program: String) throws {
            let error = try told(run(program, ["config", "get", "--json"]))
            #expect(error == ["code": "USAGE", "message": "'config' is now 'remoteconfig'."])
            let lines = try run(program, ["config", "get"]).errors.split(separator: "\n")
            #expect(
                lines == [
                    "error: 'config' is now 'remoteconfig'.", "Usage: hearth <subcommand>",
                    "  See 'hearth --help' for more information.",
                ])
        }

        @Test("usage is shown for wrong usage only, in one line", arguments: programs)
        func usage(program: String) throws {
            let wrong = try run(program, ["label", "--max", "0", "m", "x.png"]).errors.split(separator: "\n")
            #expect(
                wrong == [
                    "error: --max must be 1 or more.", "Usage: hearth label [<options>] <model> <paths> ...",
                    "  See 'hearth label --help' for more information.",
                ])
            #expect(try run(program, ["label", "gone.tflite", "x.png"]).errors.split(separator: "\n").count == 1)
        }

        @Test("an image that is not there is named once", arguments: programs)
        func missingImage(program: String) throws {
            let ending = try run(program, ["label", SampleModels.bundle, "nothere.jpg"])
            #expect(ending.exitCode == 1)
            #expect(ending.errors == "error: there is no file at nothere.jpg\n")
        }
    }
}
