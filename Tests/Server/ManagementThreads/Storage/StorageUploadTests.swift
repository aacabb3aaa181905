import Foundation
import HearthCatalog
import HearthCrypto
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthRouting
import HearthStorage
import Testing

@testable import HearthManagementTestSupport

@Suite("Google's storage interface: files in one request") struct StorageUploadTests {
    private static let name = "Firebase/ML/Models/m.tflite"

    private func create(_ service: TestService, _ uri: String) throws -> TestResponse {
        try service.admin(.post, "models", #"{"displayName":"m","tfliteModel":{"gcsTfliteUri":"\#(uri)"}}"#)
    }

    @Test("A file uploaded as google-cloud-storage does becomes a model")
    func multipart() throws {
        let service = try TestService()
        let contents = FakeProbe.ok("flowers")
        for pieceBytes in [1, 13, 100_000] {
            let answer = try service.multipart(contents, pieceBytes: pieceBytes)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.string("kind") == "storage#object")
            #expect(answer.string("name") == Self.name && answer.string("bucket") == "project-a.hearth")
            #expect(answer.string("size") == "\(contents.utf8.count)", "a number in a string")
            #expect(answer.string("crc32c") == CRC32C.checksum(Array(contents.utf8)).base64)
            #expect(answer.string("contentType") == "application/octet-stream")
        }
        let created = try create(service, "gs://project-a.hearth/\(Self.name)")
        #expect(created.string("response.modelHash") == SHA256Hasher.hash(contents.utf8).hex)
        let audit = try service.services.metadata.read { try $0.audit(project: "project-a", before: nil, limit: 10) }
        #expect(audit.filter { $0.action == "file.upload" && $0.actor == service.a.account.email }.count == 3)
    }

    @Test("The same in a bucket of the caller's own name, and by uploadType=media")
    func otherForms() throws {
        let service = try TestService()
        #expect(try service.multipart(FakeProbe.ok(), bucket: "my-app.appspot.com").status == 200)
        let media = try service.call(
            .post, "/upload/storage/v1/b/my-app.appspot.com/o?uploadType=media&name=a%20b%2B%C3%A9.tflite",
            headers: try service.bearer(), body: Array(FakeProbe.ok("x").utf8))
        #expect(media.string("name") == "a b+é.tflite")
        for (name, uri) in [
            ("m", "gs://my-app.appspot.com/\(Self.name)"), ("n", "gs://my-app.appspot.com/a b+é.tflite"),
        ] {
            let created = try service.admin(
                .post, "models", #"{"displayName":"\#(name)","tfliteModel":{"gcsTfliteUri":"\#(uri)"}}"#)
            #expect(created.string("response.tfliteModel.gcsTfliteUri") == uri)
            #expect(created.string("response.modelHash")?.isEmpty == false)
        }
    }

    @Test("An object can be looked at by its escaped name, also one that looks like a path")
    func lookUp() throws {
        let service = try TestService()
        for name in [Self.name, "../../../etc/passwd", "a/../../b", "/x", "C:\\\\x:y", "é 100%", "a?b#c"] {
            #expect(try service.multipart(FakeProbe.ok(name), name: name).status == 200)
            let plain = name.replacing("\\\\", with: "\\")
            let escaped = try #require(plain.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
            let answer = try service.call(
                .get, "/storage/v1/b/project-a.hearth/o/\(escaped)", headers: try service.bearer())
            #expect(answer.string("name") == plain, "\(answer.text)")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: service.blobFolder)
        #expect(names.allSatisfy { SHA256Digest(hex: $0) != nil }, "no name of a caller reaches the disk")
        try service.call(.get, "/storage/v1/b/project-a.hearth/o/none", headers: try service.bearer())
            .expectStorageRefusal(404, "notFound", "No such object: project-a.hearth/none")
    }

    @Test("Every project has its own bucket of every name")
    func isolation() throws {
        let service = try TestService()
        #expect(try service.multipart(FakeProbe.ok(), bucket: "shared").status == 200)
        let path = "/storage/v1/b/shared/o/Firebase%2FML%2FModels%2Fm.tflite"
        #expect(try service.call(.get, path, headers: try service.bearer()).status == 200)
        try service.call(.get, path, headers: try service.bearer(service.b)).expectStorageRefusal(404, "notFound")
    }

    @Test("A bucket is whatever name is valid")
    func bucket() throws {
        let service = try TestService()
        let answer = try service.call(
            .get, "/storage/v1/b/my-app.appspot.com?projection=noAcl&prettyPrint=false", headers: try service.bearer())
        #expect(answer.string("name") == "my-app.appspot.com")
        #expect(answer.string("projectNumber") == "\(service.a.project.number)")
        #expect(answer.string("location")?.isEmpty == false && answer.string("locationType")?.isEmpty == false)
        for name in ["ab", "UPPER", "a%2Fb%2Fc", "a%20b", String(repeating: "a", count: 64)] {
            try service.call(.get, "/storage/v1/b/\(name)", headers: try service.bearer())
                .expectStorageRefusal(400, "invalid")
            try service.multipart(FakeProbe.ok(), bucket: name).expectStorageRefusal(400, "invalid")
        }
    }

    @Test("A wrong checksum is refused and nothing is kept")
    func wrongChecksum() throws {
        let service = try TestService()
        let contents = FakeProbe.ok()
        let right = CRC32C.checksum(Array(contents.utf8)).base64
        try service.multipart(contents, checksum: "AAAAAA==").expectStorageRefusal(
            400, "invalid", "The CRC-32C of the received bytes is \(right), but AAAAAA== was announced.")
        try service.multipart(contents, headers: ["x-goog-hash": "md5=x, crc32c=AAAAAA=="])
            .expectStorageRefusal(400, "invalid")
        try service.multipart(contents, checksum: "nonsense").expectStorageRefusal(400, "invalid")
        #expect(try service.services.metadata.read { try $0.objects(project: "project-a") }.isEmpty)
        #expect(try service.services.blobs.size(of: SHA256Hasher.hash(contents.utf8)) == nil)
        #expect(try service.multipart(contents, headers: ["x-goog-hash": "crc32c=\(right)"]).status == 200)
    }

    @Test("Without the right token no byte is read, and the error has Google's form")
    func noToken() throws {
        let service = try TestService()
        let path = "/upload/storage/v1/b/project-a.hearth/o?uploadType="
        for kind in ["multipart", "media&name=x", "resumable"] {
            let answer = try service.call(
                .post, path + kind, headers: ["Content-Type": "multipart/related; boundary=b"], body: [1, 2, 3])
            answer.expectStorageRefusal(401, "authError")
            #expect(answer.bodyBytesRead == 0)
        }
        for (method, target) in [
            (HTTPMethod.get, "/storage/v1/b/bucket"), (.get, "/storage/v1/b/bucket/o/x"), (.put, path + "resumable"),
            (.delete, path + "resumable"),
        ] {
            try service.call(method, target, headers: ["Authorization": "Bearer x"]).expectStorageRefusal(
                401, "authError")
        }
    }

    @Test(
        "Broken bodies are refused and leave nothing",
        arguments: [
            ("", "--b\r\n\r\n{}"), ("multipart/related", "--b\r\n\r\n{}"), ("multipart/related; boundary=b", ""),
            ("multipart/related; boundary=b", "--b\r\n\r\n{\"name\": \"x\"}\r\n--b\r\n\r\nfile"),
            ("multipart/related; boundary=b", "--b\r\n\r\n{\"name\": \"x\"\r\n--b\r\n\r\nfile\r\n--b--"),
            ("multipart/related; boundary=b", "--b\r\n\r\n[]\r\n--b\r\n\r\nfile\r\n--b--"),
            ("multipart/related; boundary=b", "--b\r\n\r\n{}\r\n--b\r\n\r\nfile\r\n--b--"),
            ("multipart/related; boundary=b", "--b\r\n\r\n{\"name\": \"\"}\r\n--b\r\n\r\nfile\r\n--b--"),
            ("multipart/related; boundary=b", "--b\r\n\r\n{\"name\": \"a\\nb\"}\r\n--b\r\n\r\nfile\r\n--b--"),
            ("multipart/related; boundary=b", "--b\r\n\r\n{\"name\": 5}\r\n--b\r\n\r\nfile\r\n--b--"),
        ])
    func brokenBodies(type: String, body: String) throws {
        let service = try TestService()
        var headers = try service.bearer()
        headers["Content-Type"] = type
        let answer = try service.call(
            .post, "/upload/storage/v1/b/project-a.hearth/o?uploadType=multipart", headers: headers,
            body: Array(body.utf8), pieceBytes: 3)
        answer.expectStorageRefusal(400, "invalid")
        #expect(try FileManager.default.contentsOfDirectory(atPath: service.blobFolder).isEmpty)
        #expect(try service.services.metadata.read { try $0.objects(project: "project-a") }.isEmpty)
    }

    @Test("The limits are kept: of the file at n and n + 1, and of the JSON, as soon as it shows")
    func limits() throws {
        let service = try TestService {
            $0.limits.uploadBytes = 20
            $0.limits.uploadMetadataBytes = 200
        }
        #expect(try service.multipart("ok " + String(repeating: "\n", count: 17)).status == 200)
        try service.multipart("ok " + String(repeating: "\n", count: 18)).expectStorageRefusal(413, "uploadTooLarge")
        let json = try service.multipart(FakeProbe.ok(), name: String(repeating: "x", count: 200_000))
        json.expectRefusal(413, "INVALID_ARGUMENT")
        #expect(json.bodyBytesRead < 1000)
        #expect(try FileManager.default.contentsOfDirectory(atPath: service.blobFolder).count == 1)
    }

    @Test("An unknown kind of upload is refused")
    func unknownKind() throws {
        let service = try TestService()
        for query in ["", "?uploadType=", "?uploadType=evil"] {
            try service.call(
                .post, "/upload/storage/v1/b/project-a.hearth/o" + query, headers: try service.bearer(), body: [1]
            ).expectStorageRefusal(400, "invalid")
        }
    }

    @Test("A malformed file is taken, and the model says what is wrong")
    func malformed() throws {
        let service = try TestService()
        #expect(try service.multipart(FakeProbe.malformed()).status == 200)
        let created = try create(service, "gs://project-a.hearth/\(Self.name)")
        #expect(created.string("response.state.validationError.message") == "Invalid flatbuffer format")
        #expect(created.string("response.tfliteModel.gcsTfliteUri") == "gs://project-a.hearth/\(Self.name)")
    }
}
