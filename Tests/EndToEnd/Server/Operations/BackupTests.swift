import EndToEndDriving
import Foundation
import Glibc
import HearthTestSupport
import HearthWire
import Testing

extension EndToEndSuites {
    /// `hearth admin backup`, `restore` and `verify` beside a running server.
    @Suite struct BackupTests {
        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private func admin(_ arguments: String...) throws -> ProcessResult {
            try HearthProgram.run(["admin"] + arguments)
        }

        @Test func aServerOverARestoredFolderGoesOnWhereTheOldOneWas() throws {
            let server = try ServerProcess()
            #expect(try server.hearth("models", "push", "digits", SampleModels.bundle, "--publish").exitCode == 0)
            let backup = folder.path + "/backup"
            let made = try admin("backup", backup, "--data", server.data.path)
            #expect(made.exitCode == 0, "\(made.errors)")
            #expect(made.output.contains("1 model, 1 version, 1 release"))
            #expect(try admin("verify", "--data", server.data.path).exitCode == 0)
            let key = try server.adminKey()
            let device = try server.deviceConfiguration()
            try server.kill()

            let data = try TemporaryFolder()
            let restored = try admin("restore", backup, "--data", data.path)
            #expect(restored.exitCode == 0, "\(restored.errors)")
            #expect(restored.errors.contains("What was revoked or ended after that time is valid again"))
            let second = try ServerProcess(data: data)
            #expect(!second.greeting.contains("first start"))
            #expect(try second.adminKey().clientSecret == key.clientSecret)
            #expect(try second.deviceConfiguration()["API_KEY"] == device["API_KEY"])
            #expect(try second.hearth("pull", "digits").exitCode == 0)
            let verified = try admin("verify", "--data", data.path, "--json")
            #expect(verified.exitCode == 0)
            #expect(verified.output.contains(#""problems":[]"#))
        }

        @Test func whatIsWrongIsListedWithWhatToDo() throws {
            let server = try ServerProcess()
            #expect(try server.hearth("models", "push", "digits", SampleModels.bundle).exitCode == 0)
            let blob = try #require(try server.storedFiles().first)
            chmod(server.adminFile, 0o644)
            try Data([1]).write(to: URL(fileURLWithPath: server.data.path + "/blobs/" + blob))
            let ending = try admin("verify", "--data", server.data.path)
            #expect(ending.exitCode == 1)
            #expect(ending.errors.isEmpty)
            #expect(
                ending.output.contains("account.json: users other than its owner may access it\n    Run: chmod"))
            #expect(ending.output.contains("\(blob): it has 1 bytes"))
            #expect(ending.output.contains("\n2 problems in "))
            #expect(try admin("backup", folder.path + "/backup", "--data", server.data.path).exitCode == 1)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        }

        @Test func refusalsAreOneLine() throws {
            let server = try ServerProcess()
            let target = try folder.write([1], to: "file")
            let refused = [
                try admin("backup", target, "--data", server.data.path),
                try admin("backup", folder.path + "/new", "--data", folder.path),
                try admin("restore", folder.path, "--data", folder.path + "/new"),
                try admin("verify", "--data", folder.path + "/absent"),
            ]
            for ending in refused {
                #expect(ending.exitCode == 1)
                #expect(ending.output.isEmpty)
                #expect(ending.errors.split(separator: "\n").count == 1, "\(ending.errors)")
                #expect(ending.errorLines.count == 1)
            }
        }

        /// Whenever it is killed: either there is no backup, or it is whole.
        @Test func aKilledBackupIsNeverTakenForAWholeOne() throws {
            let server = try ServerProcess()
            #expect(try server.hearth("models", "push", "digits", SampleModels.bundle, "--publish").exitCode == 0)
            func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
            var killedMidway = 0
            // Each is killed as soon as that much of it is there.
            let landmarks = ["", "/blobs", "/hearth.sqlite", "/keys/signing-secret", "/manifest.json"]
            for (number, landmark) in landmarks.enumerated() {
                let backup = folder.path + "/backup-\(number)"
                let unfinished = backup + ".partial"
                let program = try RunningProgram(
                    HearthProgram.path(), ["admin", "backup", backup, "--data", server.data.path])
                #expect(
                    Deadline.wait(everyMicroseconds: 100) {
                        exists(unfinished + landmark) || exists(backup) || !program.isRunning
                    })
                program.send(SIGKILL)
                _ = try program.waitForExit(seconds: 30)
                if exists(unfinished + "/.hearth-work") {
                    killedMidway += 1
                    #expect(!exists(backup))
                    // The next one takes over what is left of it.
                    #expect(try admin("backup", backup, "--data", server.data.path).exitCode == 0)
                }
                guard exists(backup) else { continue }
                let data = folder.path + "/data-\(number)"
                #expect(try admin("restore", backup, "--data", data).exitCode == 0)
                #expect(try admin("verify", "--data", data).exitCode == 0)
            }
            #expect(killedMidway > 0)
        }
    }
}
