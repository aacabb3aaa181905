import EndToEndDriving
import Foundation
import HearthCalls
import HearthTestSupport
import HearthWire
import Testing

extension EndToEndSuites {
    /// Zips that a real server packs in its sandbox, as the console's page sends them.
    @Suite struct PackTests {
        private func pack(_ admin: CurlAdmin, _ zip: [UInt8], name: String) throws -> Curl.Reply {
            let folder = try TemporaryFolder()
            let uploaded: UploadResource = try admin.upload(folder.write(zip, to: "upload"), name: name).decode()
            return try admin.send(
                "POST", "\(admin.server.url)/hearth/v1/projects/\(admin.key.projectID)/uploads:pack",
                #"{"source": "\#(uploaded.gcsTfliteUri)"}"#)
        }

        @Test func aFolderBecomesTheModelThatTheCommandMakesOfIt() throws {
            let server = try ServerProcess()
            let admin = try CurlAdmin(server)
            let zip = try StoredZip(folder: SampleModels.bundle).bytes
            let reply = try pack(admin, zip, name: "digits.zip")
            let packed: UploadResource = try reply.decode()
            #expect(packed.gcsTfliteUri.hasSuffix("/digits.tflite") && packed.validationError == nil)
            #expect(try server.hearth("models", "push", "pushed", SampleModels.bundle).exitCode == 0)
            let created = try admin.create("digits", uri: packed.gcsTfliteUri)
            #expect(created.error == nil)
            let pushed = try #require(try admin.list().first { $0.displayName == "pushed" })
            #expect(pushed.modelHash == packed.sha256, "byte for byte")

            let again: UploadResource = try pack(admin, zip, name: "digits.zip").decode()
            #expect(again.sha256 == packed.sha256)
        }

        @Test func aZipThatIsNoBundleIsRefusedWithItsReason() throws {
            let admin = try CurlAdmin(ServerProcess())
            let model = try SampleModels.bytes()
            for (zip, text) in [
                (StoredZip([.init("readme.txt", [1])]).bytes, "at its top level"),
                (StoredZip([.init("a.tflite", model), .init("b.tflite", model)]).bytes, "more than one .tflite model"),
                (StoredZip([.init("../model.tflite", model)]).bytes, "../model.tflite"),
                (Array(StoredZip([.init("model.tflite", model)]).bytes.dropLast(9)), "cut short"),
            ] {
                let reply = try pack(admin, zip, name: "upload.zip")
                #expect(reply.status == 400)
                let body = String(decoding: reply.body, as: UTF8.self)
                #expect(body.contains(text) && body.contains("cannot be packed"), "\(body)")
            }
        }
    }
}
