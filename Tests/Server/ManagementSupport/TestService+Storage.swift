import HearthCrypto
import HearthHTTP
import HearthIdentity
import Testing

/// The calls that Google's storage tools make.
extension TestService {
    func bearer(_ start: NewProject? = nil) throws -> HTTPHeaders {
        ["Authorization": "Bearer \(try accessToken(start ?? a))"]
    }

    /// `POST /upload/storage/v1/b/{bucket}/o?uploadType=multipart`, as google-cloud-storage sends it.
    func multipart(
        _ contents: String, name: String = "Firebase/ML/Models/m.tflite", bucket: String = "project-a.hearth",
        checksum: String? = nil, headers: HTTPHeaders = [:], as start: NewProject? = nil, pieceBytes: Int = 7,
        more: String = "", query: String = ""
    ) throws -> TestResponse {
        let checksum = checksum ?? CRC32C.checksum(Array(contents.utf8)).base64
        let boundary = "===============5403172869405327158=="
        let body = """
            --\(boundary)\r\ncontent-type: application/json; charset=UTF-8\r\n\r\n\
            {"name": "\(name)", "crc32c": "\(checksum)"\(more)}\r\n\
            --\(boundary)\r\ncontent-type: application/octet-stream\r\n\r\n\(contents)\r\n--\(boundary)--
            """
        var all = try bearer(start)
        all["Content-Type"] = "multipart/related; boundary=\"\(boundary)\""
        all["x-upload-content-type"] = "application/octet-stream"
        for field in headers { all[field.name] = field.value }
        return try call(
            .post, "/upload/storage/v1/b/\(bucket)/o?uploadType=multipart\(query)", headers: all,
            body: Array(body.utf8),
            pieceBytes: pieceBytes)
    }

    /// Begins a resumable upload; path and query of its address.
    func beginResumable(
        _ json: String = #"{"name": "Firebase/ML/Models/m.tflite"}"#, bucket: String = "project-a.hearth",
        length: Int? = nil, as start: NewProject? = nil, query: String = ""
    ) throws -> TestResponse {
        var headers = try bearer(start)
        headers["Content-Type"] = "application/json; charset=UTF-8"
        headers["X-Upload-Content-Type"] = "application/octet-stream"
        headers["X-Upload-Content-Length"] = length.map(String.init)
        headers["Host"] = "127.0.0.1:8080"
        return try call(
            .post, "/upload/storage/v1/b/\(bucket)/o?uploadType=resumable\(query)", headers: headers,
            body: Array(json.utf8))
    }

    func resumableAddress(length: Int? = nil) throws -> String {
        try Self.path(beginResumable(length: length))
    }

    /// Path and query of the address that an answer gives.
    static func path(_ answer: TestResponse) throws -> String {
        let location = try #require(answer.headers["Location"], "\(answer.text)")
        try #require(location.hasPrefix("http://127.0.0.1:8080/"))
        return String(location.dropFirst("http://127.0.0.1:8080".count))
    }

    /// One request of a resumable upload.
    func put(
        _ address: String, _ body: some Sequence<UInt8>, range: String? = nil, headers: HTTPHeaders = [:],
        as start: NewProject? = nil, announces: Bool = true
    ) throws -> TestResponse {
        var all = try bearer(start)
        all["Content-Range"] = range
        if !announces { all["Transfer-Encoding"] = "chunked" }
        for field in headers { all[field.name] = field.value }
        return try call(.put, address, headers: all, body: Array(body), announces: announces, pieceBytes: 5)
    }

    func question(_ address: String, total: String = "*") throws -> TestResponse {
        try put(address, [], range: "bytes */\(total)")
    }

    /// How much has come, once the server has let go of a request that ended: until then it says that it is busy.
    func receivedBytesWhenIdle(_ address: String) throws -> Int? {
        try answerWhenIdle { try question(address) }.receivedBytes
    }

    /// The answer once the server has let go of a request that ended. Until then each answer is that it is busy.
    func answerWhenIdle(_ call: () throws -> TestResponse) throws -> TestResponse {
        var answer = try call()
        try waitUntil("the server has let go of a request") {
            if answer.status == 503 { answer = try call() }
            return answer.status != 503
        }
        return answer
    }
}

extension TestResponse {
    /// How many bytes an upload has, as a 308 tells it; nil for another answer.
    var receivedBytes: Int? {
        guard status == 308, body.isEmpty else { return nil }
        guard let range = headers["Range"] else { return 0 }
        return range.hasPrefix("bytes=0-") ? Int(range.dropFirst("bytes=0-".count)).map { $0 + 1 } : nil
    }

    /// Holds the answer against the error form of Google's storage interface.
    func expectStorageRefusal(
        _ status: Int, _ reason: String, _ message: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        expectRefusal(status, string("error.status") ?? "", message, sourceLocation: sourceLocation)
        let items = self["error.errors"] as? [[String: Any]]
        #expect(items?.count == 1 && items?.first?["reason"] as? String == reason, sourceLocation: sourceLocation)
        #expect(items?.first?["message"] as? String == string("error.message"), sourceLocation: sourceLocation)
    }
}
