import EndToEndDriving
import Foundation
import Glibc
import HearthCalls
import HearthCrypto
import HearthTestSupport
import HearthWire
import Testing

extension EndToEndSuites {
    /// SIGKILL at the worst moments: nothing half-stored is ever visible, and the same push succeeds afterwards.
    @Suite struct KillTests {
        private func models(_ server: ServerProcess) throws -> [ModelResource] {
            let ending = try server.hearth("models", "list", "--json")
            #expect(ending.exitCode == 0)
            return try WireJSON.decode(ModelList.self, from: ending.output.utf8).models ?? []
        }

        private func expectPushSucceeds(_ server: ServerProcess) throws {
            let push = try server.hearth("models", "push", "digits", SampleModels.file, "--publish", "--json")
            #expect(push.exitCode == 0, "\(push.errors)")
            let hash = SHA256Hasher.hash(try SampleModels.bytes()).hex
            #expect(try WireJSON.decode(ModelResource.self, from: push.output.utf8).modelHash == hash)
            #expect(try server.hearth("pull", "digits", "--json").output.contains(hash))
            #expect(try server.storedFiles() == [hash])
        }

        @Test func inTheMiddleOfAnUpload() throws {
            let data = try TemporaryFolder()
            let first = try ServerProcess(data: data)
            let upload = try PartialUpload(first, bytes: SampleModels.bytes())
            try first.kill()
            #expect(upload.connection.receive() == nil)
            #expect(try first.storedFiles().count == 1)

            let second = try ServerProcess(data: data)
            #expect(try second.storedFiles().isEmpty)
            #expect(try models(second) == [])
            try expectPushSucceeds(second)
        }

        /// The upload has begun, but no byte of the file has come.
        @Test func beforeTheFirstByteOfAnUpload() throws {
            let data = try TemporaryFolder()
            let first = try ServerProcess(data: data)
            let upload = try PartialUpload(first, bytes: [0])
            #expect(try Deadline.wait { try first.storedFiles().count == 1 })
            try first.kill()
            #expect(upload.connection.receive() == nil)

            let second = try ServerProcess(data: data)
            #expect(try second.storedFiles().isEmpty)
            try expectPushSucceeds(second)
        }

        @Test func betweenUploadAndCreate() throws {
            let data = try TemporaryFolder()
            let first = try ServerProcess(data: data)
            let upload: UploadResource = try CurlAdmin(first).upload(SampleModels.file).decode()
            try first.kill()

            let second = try ServerProcess(data: data)
            #expect(try models(second) == [])
            // What the server had confirmed is still there.
            let created = try CurlAdmin(second).create("confirmed", uri: upload.gcsTfliteUri)
            #expect(created.response?.modelHash == upload.sha256)
            try expectPushSucceeds(second)
        }

        /// As soon as one of the files that a first start makes is there, in the order in which they come; after the
        /// later ones the project may be recorded or not. The next start begins anew, or keeps a complete first one.
        @Test(arguments: [
            "lock", "hearth.sqlite", "keys/signing-secret", "credentials/admin-service-account.json",
            "credentials/GoogleService-Info.plist",
        ])
        func duringTheFirstStart(file: String) throws {
            let data = try TemporaryFolder()
            let program = try RunningProgram(HearthProgram.path(), ["serve", "--data", data.path, "--port", "0"])
            #expect(Deadline.wait { FileManager.default.fileExists(atPath: data.path + "/" + file) })
            program.send(SIGKILL)
            #expect(try program.waitForExit(seconds: 30).exitCode == nil)
            try expectPushSucceeds(ServerProcess(data: data))
        }
    }
}
