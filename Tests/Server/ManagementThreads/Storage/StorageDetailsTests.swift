import Foundation
import HearthCrypto
import HearthHTTP
import HearthManagement
import HearthRouting
import HearthStorage
import Testing

@testable import HearthManagementTestSupport

@Suite("Google's storage interface: what is said of a file") struct StorageDetailsTests {
    private static let object = "/storage/v1/b/project-a.hearth/o/m.tflite"
    private let contents = FakeProbe.ok("flowers")

    private func get(_ service: TestService, _ query: String = "") throws -> TestResponse {
        try service.call(.get, Self.object + query, headers: try service.bearer())
    }

    private func md5(_ text: String) throws -> String {
        let hasher = try #require(MD5Hasher())
        Array(text.utf8).withUnsafeBytes { hasher.update($0) }
        return hasher.finalize().base64
    }

    @Test("An MD5 in the description or in x-goog-hash is compared, and given back")
    func checksum() throws {
        let service = try TestService()
        let right = try md5(contents)
        let described = try service.multipart(contents, name: "m.tflite", more: #", "md5Hash": "\#(right)""#)
        #expect(described.status == 200 && described.string("md5Hash") == right, "\(described.text)")
        #expect(try get(service).string("md5Hash") == right)
        #expect(try get(service, "?alt=media").headers["x-goog-hash"]?.hasSuffix(",md5=\(right)") == true)
        let media = try service.call(
            .post, "/upload/storage/v1/b/project-a.hearth/o?uploadType=media&name=m.tflite",
            headers: try service.bearer().with("x-goog-hash", "md5=\(right)"), body: Array(contents.utf8))
        #expect(media.string("md5Hash") == right)
        let plain = try service.multipart(contents, name: "m.tflite")
        #expect(plain.status == 200 && plain["md5Hash"] == nil, "not computed unless it is asked for")
    }

    @Test("All metadata of an object has 8 KiB together, and not a byte more; other fields have 1 KiB each")
    func metadataLimit() throws {
        let service = try TestService()
        func put(_ metadata: [String: String]) throws -> TestResponse {
            let json = String(decoding: try JSONEncoder().encode(metadata), as: UTF8.self)
            return try service.multipart(contents, name: "m.tflite", pieceBytes: 1000, more: #", "metadata": \#(json)"#)
        }
        let most = ["ab": String(repeating: "v", count: 4000), "é": String(repeating: "é", count: 2094)]
        #expect(try put(most).status == 200)
        #expect(try get(service)["metadata"] as? [String: String] == most)
        try put(most.merging(["ab": String(repeating: "v", count: 4001)]) { $1 }).expectStorageRefusal(
            400, "invalid",
            "The names and values of an object's metadata may have 8192 bytes together; these have 8193.")
        for field in ["contentDisposition", "contentLanguage"] {
            func put(_ count: Int) throws -> TestResponse {
                let text = String(repeating: "x", count: count)
                return try service.multipart(contents, pieceBytes: 1000, more: #", "\#(field)": "\#(text)""#)
            }
            #expect(try put(1024).status == 200)
            try put(1025).expectStorageRefusal(400, "invalid", "\(field) may have 1024 bytes; this one has 1025.")
        }
    }

    @Test(
        "What an upload asks for in its address and does not get is refused by its name",
        arguments: ["predefinedAcl=publicRead", "kmsKeyName=k", "contentEncoding=gzip"])
    func refusedItems(item: String) throws {
        let service = try TestService()
        let name = try #require(item.split(separator: "=").first)
        let text = "Hearth does not store '\(name)' with objects; omit it."
        try service.multipart(contents, query: "&" + item).expectStorageRefusal(400, "invalid", text)
        try service.beginResumable(query: "&" + item).expectStorageRefusal(400, "invalid", text)
        #expect(try service.multipart(contents, query: "&\(name)=&projection=full").status == 200)
    }

    @Test("A wrong MD5 is refused and nothing is kept")
    func wrongChecksum() throws {
        let service = try TestService()
        let wrong = try md5("something else")
        try service.multipart(contents, more: #", "md5Hash": "\#(wrong)""#).expectStorageRefusal(
            400, "invalid",
            "The MD5 of the received bytes is \(try md5(contents)), but \(wrong) was announced.")
        let address = try TestService.path(service.beginResumable(#"{"name": "m.tflite", "md5Hash": "\#(wrong)"}"#))
        try service.put(address, contents.utf8).expectStorageRefusal(400, "invalid")
        try service.multipart(contents, more: #", "md5Hash": "nonsense""#).expectStorageRefusal(400, "invalid")
        try service.multipart(
            contents, headers: ["x-goog-hash": "md5=\(wrong)"], more: #", "md5Hash": "\#(try md5(contents))""#
        ).expectStorageRefusal(400, "invalid")
        #expect(try service.services.metadata.read { try $0.objects(project: "project-a") }.isEmpty)
        #expect(try service.services.blobs.size(of: SHA256Hasher.hash(contents.utf8)) == nil)
    }

    @Test("A resumable upload may tell its MD5 with its last bytes")
    func lateChecksum() throws {
        let service = try TestService()
        let (bytes, right) = (Array(contents.utf8), try md5(contents))
        let address = try TestService.path(service.beginResumable(#"{"name": "m.tflite"}"#))
        #expect(
            try service.put(address, bytes[..<3], range: "bytes 0-2/\(bytes.count)").receivedBytes == 3)
        let answer = try service.put(
            address, bytes[3...], range: "bytes 3-\(bytes.count - 1)/\(bytes.count)",
            headers: ["x-goog-hash": "md5=\(right)"])
        #expect(answer.status == 200 && answer.string("md5Hash") == right, "\(answer.text)")
        let again = try service.put(address, [], range: "bytes */\(bytes.count)")
        #expect(again.string("md5Hash") == right, "also to who asks again")
    }

    @Test("Own names and values, and how to keep the file, are kept and given back")
    func kept() throws {
        let service = try TestService()
        let json = #"""
            {"name": "m.tflite", "contentType": "text/html", "cacheControl": "no-cache", "contentLanguage": "de",
             "contentDisposition": "inline", "storageClass": "STANDARD", "contentEncoding": "", "size": "77",
             "metadata": {"k": "v", "gone": null}}
            """#
        let address = try TestService.path(service.beginResumable(json))
        let uploaded = try service.put(address, contents.utf8)
        for answer in [uploaded, try get(service)] {
            #expect(answer.string("contentType") == "text/html" && answer.string("cacheControl") == "no-cache")
            #expect(answer.string("contentLanguage") == "de" && answer.string("contentDisposition") == "inline")
            #expect(answer["metadata"] as? [String: String] == ["k": "v"])
            #expect(answer.string("size") == "\(contents.utf8.count)", "the server knows that itself")
        }
        let media = try get(service, "?alt=media")
        #expect(media.headers["Content-Type"] == "text/html" && media.headers["Cache-Control"] == "no-cache")
        #expect(media.headers["Content-Disposition"] == "attachment", "never shown as a page of this server")
    }

    @Test(
        "What is not kept is refused by its name",
        arguments: [
            ("contentEncoding", #""gzip""#), ("storageClass", #""COLDLINE""#), ("temporaryHold", "true"),
            ("customTime", #""2027-01-01T00:00:00Z""#), ("kmsKeyName", #""k""#), ("acl", "[{}]"),
        ])
    func refused(field: String, value: String) throws {
        let service = try TestService()
        let answer = try service.multipart(contents, more: #", "\#(field)": \#(value)"#)
        answer.expectStorageRefusal(400, "invalid", "Hearth does not store '\(field)' with objects; omit it.")
        try service.beginResumable(#"{"name": "x", "\#(field)": \#(value)}"#).expectStorageRefusal(400, "invalid")
        #expect(try service.services.metadata.read { try $0.objects(project: "project-a") }.isEmpty)
    }

    @Test("Values that no header could carry are refused")
    func unusable() throws {
        let service = try TestService()
        for more in [
            #", "cacheControl": "a\r\nb""#, #", "contentType": "a\nb""#, #", "cacheControl": """#,
            #", "metadata": {"k": 5}"#, #", "metadata": ["k"]"#,
        ] {
            try service.multipart(contents, more: more).expectStorageRefusal(400, "invalid")
        }
    }
}

extension HTTPHeaders {
    fileprivate func with(_ name: String, _ value: String) -> HTTPHeaders {
        var headers = self
        headers[name] = value
        return headers
    }
}
