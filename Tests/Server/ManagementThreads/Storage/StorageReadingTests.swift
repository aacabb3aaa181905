import HearthCrypto
import HearthHTTP
import HearthManagement
import HearthRouting
import HearthStorage
import Testing

@testable import HearthManagementTestSupport

@Suite("Google's storage interface: the bytes of an object") struct StorageReadingTests {
    private static let address = "/storage/v1/b/project-a.hearth/o/Firebase%2FML%2FModels%2Fm.tflite"
    private let contents = FakeProbe.ok("flowers")

    private func get(_ service: TestService, _ query: String, _ headers: HTTPHeaders = [:]) throws -> TestResponse {
        var all = try service.bearer()
        for field in headers { all[field.name] = field.value }
        return try service.call(.get, Self.address + query, headers: all)
    }

    @Test("alt=media answers with the file, anything else with its description")
    func media() throws {
        let service = try TestService()
        #expect(try service.multipart(contents).status == 200)
        let answer = try get(service, "?alt=media")
        #expect(answer.status == 200 && answer.text == contents)
        #expect(answer.headers["Content-Type"] == "application/octet-stream")
        #expect(answer.headers["x-goog-hash"] == "crc32c=\(CRC32C.checksum(Array(contents.utf8)).base64)")
        #expect(answer.headers["ETag"] == "\"\(SHA256Hasher.hash(contents.utf8).hex)\"")
        for query in ["", "?alt=json"] {
            #expect(try get(service, query).string("size") == "\(contents.utf8.count)")
        }
    }

    @Test("Google's client asks for the bytes below /download")
    func download() throws {
        let service = try TestService()
        #expect(try service.multipart(contents).status == 200)
        let answer = try service.call(
            .get, "/download" + Self.address + "?alt=media", headers: try service.bearer())
        #expect(answer.status == 200 && answer.text == contents)
    }

    @Test("Part of it can be asked for")
    func range() throws {
        let service = try TestService()
        #expect(try service.multipart(contents).status == 200)
        let answer = try get(service, "?alt=media", ["Range": "bytes=2-4"])
        #expect(answer.status == 206 && answer.body == Array(contents.utf8)[2...4].map { $0 })
        #expect(answer.headers["Content-Range"] == "bytes 2-4/\(contents.utf8.count)")
    }

    @Test("ETags are conditions, for the bytes and for the description")
    func conditions() throws {
        let service = try TestService()
        #expect(try service.multipart(contents).status == 200)
        let etag = try #require(try get(service, "").string("etag"))
        for query in ["", "?alt=media"] {
            for form in [etag, "\"\(etag)\"", "W/\"\(etag)-gzip\"", "*"] {
                #expect(try get(service, query, ["If-None-Match": form]).status == 304, "\(query) \(form)")
                #expect(try get(service, query, ["If-Match": form]).status == 200, "\(query) \(form)")
            }
            #expect(try get(service, query, ["If-None-Match": "\"x\""]).status == 200)
            try get(service, query, ["If-Match": "\"x\""]).expectStorageRefusal(412, "conditionNotMet")
        }
    }

    @Test("A file that is no model is there after its validation: all calls agree")
    func noModel() throws {
        let service = try TestService()
        let labels = FakeProbe.malformed("daisy")
        #expect(try service.multipart(labels).status == 200)
        service.waitForCheck(labels)
        #expect(try get(service, "").string("size") == "\(labels.utf8.count)")
        let list = try service.call(.get, "/storage/v1/b/project-a.hearth/o", headers: try service.bearer())
        #expect((list["items"] as? [Any])?.count == 1)
        let answer = try get(service, "?alt=media")
        #expect(answer.status == 200 && answer.text == labels)
    }

    @Test("Who may not see the description does not get the file; a file that is gone is not there")
    func refusals() throws {
        let service = try TestService()
        #expect(try service.multipart(contents).status == 200)
        try service.call(.get, Self.address + "?alt=media").expectStorageRefusal(401, "authError")
        try service.call(.get, Self.address + "?alt=media", headers: try service.bearer(service.b))
            .expectStorageRefusal(404, "notFound")
        try service.services.blobs.remove(SHA256Hasher.hash(contents.utf8))
        try get(service, "?alt=media").expectStorageRefusal(404, "notFound")
    }
}
