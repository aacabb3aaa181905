import Foundation
import HearthCatalog
import HearthCrypto
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthRouting
import HearthStorage
import HearthValidation
import Testing

@testable import HearthManagementTestSupport

@Suite("Uploads") struct UploadTests {
    private static let path = "/hearth/v1/projects/project-a/uploads"

    private func headers(_ service: TestService) throws -> HTTPHeaders {
        ["Authorization": "Bearer \(try service.accessToken(service.a))"]
    }

    private func files(_ service: TestService) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: service.blobFolder)
    }

    @Test("The answer says what management calls need")
    func success() throws {
        let service = try TestService()
        let contents = FakeProbe.ok("flowers")
        let answer = try service.upload(contents, name: "flowers.tflite")
        let hash = SHA256Hasher.hash(contents.utf8)
        #expect(answer.status == 200)
        #expect(Set(answer.object.keys) == ["gcsTfliteUri", "sizeBytes", "sha256"])
        #expect(answer.string("gcsTfliteUri") == "gs://project-a.hearth/Firebase/ML/Models/\(hash)/flowers.tflite")
        #expect(answer.string("sizeBytes") == "\(contents.utf8.count)")
        #expect(answer.string("sha256") == hash.hex)
        #expect(try service.services.blobs.size(of: hash) == UInt64(contents.utf8.count))
    }

    @Test("A name is not needed, and a body need not announce its length")
    func bareUpload() throws {
        let service = try TestService()
        let contents = FakeProbe.ok()
        let answer = try service.call(
            .post, Self.path, headers: try headers(service), body: Array(contents.utf8), announces: false, pieceBytes: 1
        )
        let hash = SHA256Hasher.hash(contents.utf8)
        #expect(answer.string("gcsTfliteUri") == "gs://project-a.hearth/Firebase/ML/Models/\(hash)/model.tflite")
    }

    @Test("A malformed file is kept as an unused upload, and cannot be published")
    func malformed() throws {
        let service = try TestService()
        let contents = FakeProbe.malformed()
        let answer = try service.upload(contents)
        #expect(answer.status == 200)
        #expect(answer["validationError.code"] as? Int == 3)
        #expect(answer.string("validationError.message") == "The file ends too early.")
        #expect(try service.services.blobs.size(of: SHA256Hasher.hash(contents.utf8)) == UInt64(contents.utf8.count))
        try service.admin(
            .post, "models",
            #"{"displayName":"x","state":{"published":true},"tfliteModel":{"gcsTfliteUri":"\#(service.uri())"}}"#
        ).expectFailedOperation(9, "Cannot publish a model that is not verified.")
    }

    @Test("A file that crashes its check is malformed, one for other engines has a warning")
    func otherVerdicts() throws {
        let service = try TestService()
        let crash = try service.upload("crash\n")
        #expect(crash.string("validationError.message")?.hasPrefix("The model crashed the engine (signal 11") == true)
        let odd = try service.upload(FakeProbe.unsupported())
        #expect(odd["validationError"] == nil && odd.string("warning") == "No operator WHERE here.")
        #expect(try service.upload("").string("validationError.message") == "The file ends too early.")
    }

    @Test("The same file again, under the same or another name, is one blob")
    func again() throws {
        let service = try TestService()
        for name in ["a", "a", "b"] { #expect(try service.upload(FakeProbe.ok(), name: name).status == 200) }
        #expect(try files(service) == [SHA256Hasher.hash(FakeProbe.ok().utf8).hex])
    }

    @Test("Without the right token no byte is read")
    func noToken() throws {
        let service = try TestService()
        let good = try service.accessToken(service.a)
        for header in [nil, "", "Bearer", "Bearer x", "Basic \(good)", good, "Bearer \(good)x", "Bearer  \(good)"] {
            var headers: HTTPHeaders = [:]
            headers["Authorization"] = header
            let answer = try service.call(.post, Self.path, headers: headers, body: Array(FakeProbe.ok().utf8))
            answer.expectRefusal(401, "UNAUTHENTICATED")
            #expect(answer.bodyBytesRead == 0)
        }
        let foreign = try service.call(
            .post, Self.path, headers: ["Authorization": "Bearer \(try service.accessToken(service.b))"],
            body: Array(FakeProbe.ok().utf8))
        foreign.expectRefusal(403, "PERMISSION_DENIED")
        #expect(foreign.bodyBytesRead == 0)
        #expect(try files(service).isEmpty)
    }

    @Test(
        "A name is a plain file name",
        arguments: [
            "", "a%2Fb", "%2Fetc%2Fpasswd", "..%2F..%2Fx", "a%0Ab", "a%0D%0AX-Evil:%201", "%7F", "%01",
            String(repeating: "a", count: 201), "%C3%A9" + String(repeating: "a", count: 199),
        ])
    func badNames(name: String) throws {
        let answer = try TestService().upload(FakeProbe.ok(), name: name)
        answer.expectRefusal(400, "INVALID_ARGUMENT", "The query item 'name' must be a plain file name.")
        #expect(answer.bodyBytesRead == 0)
    }

    @Test(
        "Odd but harmless names are kept as they are",
        arguments: [
            "..", ".", "a%20b", "mod%C3%A8le", "a%25b", "'quoted'", "%F0%9F%94%A5", String(repeating: "a", count: 200),
        ])
    func oddNames(name: String) throws {
        let service = try TestService()
        let answer = try service.upload(FakeProbe.ok(), name: name)
        let uri = try #require(answer.string("gcsTfliteUri"))
        #expect(uri.hasSuffix("/" + (name.removingPercentEncoding ?? "")))
        let created = try service.admin(
            .post, "models", #"{"displayName":"x","tfliteModel":{"gcsTfliteUri":"\#(uri)"}}"#)
        #expect(created.string("response.tfliteModel.gcsTfliteUri") == uri)
    }

    @Test("The limit is kept at n and n + 1, announced or not")
    func tooLarge() throws {
        let service = try TestService { $0.limits.uploadBytes = 10 }
        func upload(_ count: Int, announces: Bool) throws -> TestResponse {
            let body = Array("ok ".utf8) + [UInt8](repeating: 0x0A, count: count - 3)
            return try service.call(
                .post, Self.path, headers: try headers(service), body: body, announces: announces, pieceBytes: 4)
        }
        for announces in [true, false] { #expect(try upload(10, announces: announces).status == 200) }
        let announced = try upload(11, announces: true)
        announced.expectRefusal(413, "INVALID_ARGUMENT", "The file is larger than 10 bytes.")
        #expect(announced.bodyBytesRead == 0)
        let streamed = try upload(1000, announces: false)
        streamed.expectRefusal(413, "INVALID_ARGUMENT")
        #expect(streamed.bodyBytesRead == 12)
        #expect(try files(service).count == 1)
    }

    @Test("An upload that breaks off leaves neither bytes nor a record")
    func abandoned() throws {
        let service = try TestService()
        let head = try RequestHead(
            method: .post, target: Self.path + "?name=x", headers: try headers(service), contentLength: 1000)
        let answer = InProcessCall.run(
            service.handler, head, body: Array(FakeProbe.ok().utf8), pieceBytes: 2, breaksOff: true)
        #expect(answer == nil)
        #expect(try files(service).isEmpty)
        #expect(
            try service.services.metadata.read { try $0.audit(project: "project-a", before: nil, limit: 9) }.isEmpty)
        try service.admin(
            .post, "models", #"{"displayName":"x","tfliteModel":{"gcsTfliteUri":"\#(service.uri("x"))"}}"#
        ).expectRefusal(400, "INVALID_ARGUMENT")
    }

    @Test("A file that is not the one the caller meant is refused and leaves nothing")
    func announcedHash() throws {
        let service = try TestService()
        let contents = Array(FakeProbe.ok().utf8)
        let hash = SHA256Hasher.hash(contents).hex
        func upload(_ text: String) throws -> TestResponse {
            var headers = try headers(service)
            headers["x-hearth-sha256"] = text
            return try service.call(.post, Self.path, headers: headers, body: contents)
        }
        try upload(String(repeating: "0", count: 64)).expectRefusal(
            400, "INVALID_ARGUMENT",
            "The SHA-256 of the received bytes is \(hash), but \(String(repeating: "0", count: 64)) was announced.")
        let nonsense = try upload("nonsense")
        nonsense.expectRefusal(400, "INVALID_ARGUMENT")
        #expect(nonsense.bodyBytesRead == 0)
        #expect(try files(service).isEmpty)
        #expect(try upload(hash.uppercased()).string("sha256") == hash)
    }

    @Test("A resumable upload ends in the same answer as one in a single request")
    func resumable() throws {
        let service = try TestService()
        let contents = Array(FakeProbe.unsupported("in pieces").utf8)
        var headers = try headers(service)
        headers["Host"] = "127.0.0.1:8080"
        let begun = try service.call(.post, Self.path + "?name=m.tflite&resumable=true", headers: headers)
        #expect(begun.status == 201 && begun.body.isEmpty)
        let address = try TestService.path(begun)
        #expect(try service.put(address, contents[..<4], range: "bytes 0-3/\(contents.count)").receivedBytes == 4)
        #expect(try service.question(address).receivedBytes == 4)
        let answer = try service.put(address, contents[4...], range: "bytes 4-\(contents.count - 1)/\(contents.count)")
        let hash = SHA256Hasher.hash(contents).hex
        #expect(answer.string("gcsTfliteUri") == "gs://project-a.hearth/Firebase/ML/Models/\(hash)/m.tflite")
        #expect(answer.string("warning") == "No operator WHERE here." && answer.string("sha256") == hash)
        try service.put(address + "x", contents).expectRefusal(404, "NOT_FOUND")
        let other = try TestService.path(service.call(.post, Self.path + "?resumable=true", headers: headers))
        #expect(try service.call(.delete, other, headers: headers).status == 204)
        try service.question(other).expectRefusal(404, "NOT_FOUND")
    }

    @Test("Many uploads at once end in as many files")
    func concurrent() throws {
        let service = try TestService()
        DispatchQueue.concurrentPerform(iterations: 8) { number in
            #expect(throws: Never.self) {
                let answer = try service.upload(FakeProbe.ok("\(number)"), name: "m\(number)")
                #expect(answer.status == 200)
            }
        }
        #expect(try files(service).count == 8)
    }
}
