import EndToEndDriving
import Foundation
import Glibc
import HearthTestSupport
import HearthWire
import Testing

extension EndToEndSuites {
    /// Many images in one run.
    @Suite struct ImageBatchTests {
        private struct Line: Decodable {
            struct Label: Decodable {
                var text: String
            }
            var image: String
            var labels: [Label]?
            var error: String?
        }

        private let folder: TemporaryFolder
        private static let examples = SampleModels.bundle + "/examples"

        init() throws { folder = try TemporaryFolder() }

        private func lines(_ output: String) throws -> [Line] {
            try output.split(separator: "\n").map { try WireJSON.decode(Line.self, from: $0.utf8) }
        }

        @Test(arguments: [1, 2, 7])
        func aFolderIsLabeledInTheOrderOfItsNames(jobs: Int) throws {
            let names = try FileManager.default.contentsOfDirectory(atPath: Self.examples)
                .filter { !$0.hasSuffix(".csv") }.sorted()
            let ending = try HearthProgram.run(
                ["label", SampleModels.bundle, Self.examples, "--json", "--max", "1", "--jobs", "\(jobs)"])
            #expect(ending.exitCode == 0, "\(ending.errors)")
            let lines = try lines(ending.output)
            #expect(lines.map(\.image) == names.map { Self.examples + "/" + $0 })
            // The examples are named after what they show.
            #expect(lines.map { $0.labels?.first?.text } == names.map { String($0.prefix(1)) })
            #expect(ending.errors.hasPrefix("\(names.count) images, ") && ending.errors.hasSuffix(" images/s\n"))
        }

        @Test func failuresStandInTheirPlacesAndDoNotStopTheRun() throws {
            for name in ["1.png", "3.png", "sub/5.png"] {
                _ = try folder.write(SampleModels.bytes(SampleModels.image), to: name)
            }
            for name in ["2.jpg", "4.webp"] { _ = try folder.write(Array("no image".utf8), to: name) }
            let json = try HearthProgram.run([
                "label", SampleModels.bundle, folder.path, folder.path + "/none", "--json",
            ])
            #expect(json.exitCode == 1)
            #expect(try lines(json.output).map { $0.error == nil } == [true, false, true, false, true, false])
            #expect(json.errors.hasPrefix("6 images, 3 failed, "))

            let text = try HearthProgram.run(["label", SampleModels.bundle, folder.path])
            #expect(text.exitCode == 1)
            #expect(text.errorLines.count == 2 && text.errors.contains("5 images, 2 failed"))
            #expect(text.output.split(separator: "\n").filter { $0.hasSuffix(" 7") }.count == 3)
        }

        @Test func pathsComeFromStandardInput() throws {
            let script = #"printf '%s\n' "$2" "" "$3" | "$0" label "$1" - --json --max 1"#
            let ending = try HearthProgram.shell(
                script, SampleModels.bundle, SampleModels.image, Self.examples
            ).waitForExit(seconds: 60)
            #expect(ending.exitCode == 0)
            let lines = try lines(ending.output)
            #expect(lines.count > 2 && lines.first?.image == SampleModels.image)
        }

        @Test func aReaderThatHasEnoughEndsTheRunQuietly() throws {
            try linkImages(count: 4000)
            let script = #"{ "$0" label "$1" "$2" --json; echo $? >&2; } | head -n 1"#
            let ending = try HearthProgram.shell(script, SampleModels.bundle, folder.path).waitForExit(seconds: 60)
            #expect(ending.output.split(separator: "\n").count == 1)
            #expect(ending.errors == "0\n")
        }

        @Test func aFullDiskEndsTheRun() throws {
            try linkImages(count: 100)
            let ending = try HearthProgram.shell(#""$0" label "$1" "$2" >/dev/full"#, SampleModels.bundle, folder.path)
                .waitForExit(seconds: 60)
            #expect(ending.exitCode == 1)
            #expect(ending.errors == "error: Cannot write to standard output: No space left on device\n")
        }

        @Test(arguments: [SIGINT, SIGTERM])
        func aSignalEndsTheRunAfterWholeLines(signal: Int32) throws {
            try linkImages(count: 20_000)
            let program = try RunningProgram(
                HearthProgram.path(), ["label", SampleModels.bundle, folder.path, "--json"])
            _ = try program.readOutput(until: "\n", seconds: 60)
            program.send(signal)
            let ending = try program.waitForExit(seconds: 60)
            #expect(ending.exitCode == 128 + signal)
            let lines = try lines(ending.output)
            #expect(lines.map(\.image) == Array(names(count: 20_000).prefix(lines.count)))
            #expect(ending.errors.hasPrefix("\(lines.count) image"), "\(ending.errors)")
        }

        /// The next path may never come.
        @Test func aSignalEndsTheWaitForPaths() throws {
            let pipe = folder.path + "/paths"
            mkfifo(pipe, 0o600)
            let script = #"exec 3<>"$2"; echo "$3" >&3; exec "$0" label "$1" - --json <&3"#
            let program = try HearthProgram.shell(script, SampleModels.bundle, pipe, SampleModels.image)
            _ = try program.readOutput(until: "\n", seconds: 60)
            program.send(SIGINT)
            #expect(try program.waitForExit(seconds: 60).exitCode == 128 + SIGINT)
        }

        @Test func anEmptyFolderIsNoFailure() throws {
            let ending = try HearthProgram.run(["label", SampleModels.bundle, folder.path])
            #expect(ending.exitCode == 0 && ending.output.isEmpty)
            #expect(ending.errors == "0 images\n")
        }

        @Test func aModelThatCannotBeUsedIsToldOnce() throws {
            let ending = try HearthProgram.run(["label", SampleModels.labels, Self.examples])
            #expect(ending.exitCode == 1 && ending.output.isEmpty)
            #expect(ending.errors.split(separator: "\n").count == 1 && ending.errorLines.count == 1)
        }

        private func names(count: Int) -> [String] {
            (0..<count).map { "\(folder.path)/\(10_000_000 + $0).png" }
        }

        private func linkImages(count: Int) throws {
            for name in names(count: count) { symlink(SampleModels.image, name) }
        }
    }
}
