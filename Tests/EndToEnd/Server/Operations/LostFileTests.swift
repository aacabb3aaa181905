import EndToEndDriving
import Foundation
import HearthCalls
import HearthCrypto
import HearthTestSupport
import HearthWire
import Testing

extension EndToEndSuites {
    /// A stored model file that a disk has damaged or lost, and pushing the file again.
    @Suite struct LostFileTests {
        private let server: ServerProcess

        init() throws {
            server = try ServerProcess()
            let ending = try server.hearth("models", "push", "digits", SampleModels.file, "--publish")
            #expect(ending.exitCode == 0, "\(ending.errors)")
        }

        private func storedFile() throws -> String {
            let names = try server.storedFiles()
            #expect(names.count == 1, "\(names)")
            return server.data.path + "/blobs/" + (try #require(names.first))
        }

        private func problems() throws -> (exitCode: Int32?, text: String) {
            let ending = try HearthProgram.run(["admin", "verify", "--data", server.data.path])
            return (ending.exitCode, ending.output)
        }

        private func expectHealed() throws {
            let (exitCode, text) = try problems()
            #expect(exitCode == 0, "\(text)")
            let file = try #require(FileManager.default.contents(atPath: storedFile()))
            #expect(try Array(file) == SampleModels.bytes())
            #expect(try server.hearth("pull", "digits").exitCode == 0)
            let shown = try WireJSON.decode(
                ModelResource.self, from: server.hearth("models", "show", "digits", "--json").output.utf8)
            #expect(shown.hearth?.version == 1 && shown.hearth?.fileMissing == nil)
        }

        /// The command that the guide gives for it.
        private func command(file: String) throws -> [String] {
            let guide = try String(
                contentsOf: TestPaths.package.appendingPathComponent("docs/guides/server-disks.md"), encoding: .utf8)
            let row = try #require(
                guide.split(separator: "\n").first { $0.hasPrefix("| one model file lost or damaged |") })
            let text = try #require(row.split(separator: "`").first { $0.hasPrefix("hearth ") })
            let names = ["NAME": "digits", "FILE": file]
            return text.split(separator: " ").dropFirst().map { names[String($0)] ?? String($0) }
        }

        @Test func aDamagedFileIsHealedAsTheGuideSays() throws {
            var bytes = try SampleModels.bytes()
            bytes[bytes.count / 2] ^= 1
            try Data(bytes).write(to: URL(fileURLWithPath: storedFile()))
            let (exitCode, text) = try problems()
            #expect(exitCode == 1, "\(text)")
            #expect(try server.hearth("pull", "digits").exitCode == 1)
            let ending = try server.hearth(try command(file: SampleModels.file))
            #expect(ending.exitCode == 0, "\(ending.errors)")
            #expect(ending.output.contains("Sent again"), "\(ending.output)")
            try expectHealed()
        }

        @Test(arguments: [true, false])
        func aFileThatIsGoneOrCutShortIsSentWithoutBeingAskedFor(isGone: Bool) throws {
            if isGone {
                try FileManager.default.removeItem(atPath: storedFile())
            } else {
                try Data(SampleModels.bytes().prefix(100)).write(to: URL(fileURLWithPath: storedFile()))
            }
            #expect(try problems().exitCode == 1)
            let ending = try server.hearth("models", "push", "digits", SampleModels.file)
            #expect(ending.exitCode == 0 && ending.output.contains("Sent again"), "\(ending.output)\(ending.errors)")
            try expectHealed()
        }

        @Test func aKnownFileIsPublishedAsANewOneIs() throws {
            func push(_ file: String) throws -> [Substring] {
                let ending = try server.hearth("models", "push", "digits", file, "--publish")
                #expect(ending.exitCode == 0 && !ending.errors.contains("warning"), "\(ending.errors)")
                return ending.output.split(separator: "\n")
            }
            #expect(
                try push(SampleModels.file) == [
                    "Nothing new: 'digits' version 1 already has these bytes.", "Devices already get it.",
                ])
            #expect(try server.hearth("models", "unpublish", "digits", "--yes").exitCode == 0)
            #expect(try server.hearth("pull", "digits").exitCode == 1)
            #expect(
                try push(SampleModels.file) == [
                    "Nothing new: 'digits' version 1 already has these bytes.", "Devices get it from now on.",
                ])
            #expect(try server.hearth("pull", "digits").exitCode == 0)
            #expect(try push(SampleModels.secondFile).last == "Devices get it from now on.")
            // Both are in the audit log, each with the version that devices get.
            let log = try server.hearth("admin", "audit", "--json").output
            #expect(log.contains("release 2, version 1") && log.contains("version 2, release 3"), "\(log)")
        }
    }
}

extension EndToEndSuites {
    /// What looks like too much to remove at once waits for `hearth admin clean`.
    @Suite struct CleaningTests {
        private let data: TemporaryFolder

        init() throws { data = try TemporaryFolder() }

        private func clean(_ arguments: String...) throws -> ProcessResult {
            try HearthProgram.run(["admin", "clean", "--data", data.path] + arguments)
        }

        private func count(prefix: String) throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: data.path + "/blobs").count { $0.hasPrefix(prefix) }
        }

        @Test func anOperatorSaysThatItIsRight() throws {
            #expect(try ServerProcess(data: data).terminate().exitCode == 0)
            for number in 0...20 {
                let bytes = Array("orphan \(number)".utf8)
                _ = try data.write(bytes, to: "blobs/" + SHA256Hasher.hash(bytes).hex)
            }
            #expect(try clean().output.hasPrefix("Nothing waits in "))
            #expect(try clean("--confirm", "21").exitCode == 1)

            let server = try ServerProcess(data: data)
            #expect(Deadline.wait { FileManager.default.fileExists(atPath: data.path + "/upkeep-waiting") })
            #expect(try count(prefix: "aside-") == 0)
            let waiting = try clean()
            #expect(waiting.output == "21 waiting: 21 of 21 model files that no record names\n")
            let other = try clean("--confirm", "20")
            #expect(other.exitCode == 1 && other.errors.contains("21 wait in"))
            #expect(try clean("--confirm", "21").exitCode == 0)
            let ending = try server.terminate()
            #expect(ending.exitCode == 0)
            #expect(ending.errors.contains("hearth admin clean --confirm 21"))

            let next = try ServerProcess(data: data)
            #expect(try Deadline.wait { try count(prefix: "aside-") == 21 })
            #expect(Deadline.wait { !FileManager.default.fileExists(atPath: data.path + "/upkeep-waiting") })
            #expect(try next.terminate().exitCode == 0)
            #expect(try clean().output.hasPrefix("Nothing waits in "))
        }
    }
}
