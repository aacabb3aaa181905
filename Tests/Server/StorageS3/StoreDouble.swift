import Foundation
import HearthCrypto
import HearthStorageS3
import HearthTransport
import Synchronization

/// A store in memory that understands the requests of the client, for tests in which something must fail. It checks no
/// signatures: the tests over real stores do.
final class StoreDouble: Transport {
    struct Call: Sendable {
        var method: String
        /// Below the bucket, decoded; empty for the bucket itself.
        var key: String
        var query: [String: String]
        var headers: [String: String]
        var body: [UInt8]

        /// Such as `GET blobs/1f…`.
        var line: String { "\(method) \(key)" }
    }

    enum Fault: Sendable {
        /// The answer instead, and nothing happens in the store.
        case answer(Int, body: String = "", headers: [(String, String)] = [])
        /// The request never arrives.
        case unreachable
        /// What was asked for happens, but its answer is lost.
        case lostAnswer
        /// So many bytes of the body arrive before the connection breaks.
        case cut(after: Int)
        /// These bytes instead of the object's.
        case otherBytes([UInt8])
    }

    private struct State {
        var objects: [String: (bytes: [UInt8], seconds: Int64, tag: String)] = [:]
        var parts: [String: (key: String, started: Int64, parts: [Int: [UInt8]])] = [:]
        var calls: [Call] = []
        var fault: (@Sendable (Call, Int) -> Fault?)?
        var now: Int64 = 1_800_000_000
        var pageLength = 1000
        var lastID = 0
        var hasOpaqueTags = false

        /// The tag of an object that is stored now.
        mutating func tag(_ bytes: [UInt8]) -> String {
            lastID += 1
            return hasOpaqueTags ? "tag-of-\(lastID)" : Hex.encode(StoreDouble.md5(bytes))
        }
    }

    private let state = Mutex(State())
    private let delays = Mutex<[Double]>([])

    var calls: [Call] { state.withLock { $0.calls } }
    var lines: [String] { calls.map(\.line) }
    var keys: [String] { state.withLock { $0.objects.keys.sorted() } }
    var unfinished: Int { state.withLock { $0.parts.count } }
    /// How long the client waited between tries.
    var pauses: [Double] { delays.withLock { $0 } }

    func forget() { state.withLock { $0.calls = [] } }
    func pages(of length: Int) { state.withLock { $0.pageLength = length } }
    func wait(seconds: Int64) { state.withLock { $0.now += seconds } }
    func bytes(_ key: String) -> [UInt8]? { state.withLock { $0.objects[key]?.bytes } }
    func set(_ key: String, _ bytes: [UInt8]) {
        state.withLock { $0.objects[key] = (bytes, $0.now, $0.tag(bytes)) }
    }
    /// From now on tags say nothing about bytes, as in a store that encrypts.
    func useOpaqueTags() { state.withLock { $0.hasOpaqueTags = true } }

    fileprivate static func md5(_ bytes: [UInt8]) -> [UInt8] {
        let hasher = MD5Hasher()
        bytes.withUnsafeBytes { hasher?.update($0) }
        return Array(Data(base64Encoded: hasher?.finalize().base64 ?? "") ?? Data())
    }

    /// What happens to a call; the number counts calls of the same line from 1.
    func fail(_ fault: (@Sendable (Call, Int) -> Fault?)?) {
        state.withLock {
            $0.fault = fault
            $0.calls = []
        }
    }

    /// Over one bucket, as every other client of this double.
    func client(attempts: Int = 4) throws -> S3Client {
        S3Client(
            try S3Configuration(url: "s3://bucket?endpoint=http://store.test&attempts=\(attempts)"),
            credentials: try S3Credentials(accessKey: "key", secretKey: "very-secret"), transport: self,
            now: { self.state.withLock { $0.now } }, pause: { seconds in self.delays.withLock { $0.append(seconds) } })
    }

    func send(
        _ request: TransportRequest, onHead: HeadHandler?, onBody: BodyHandler?
    ) throws(TransportError) -> TransportResponse {
        let call = Self.parse(request)
        let fault = state.withLock { state in
            state.calls.append(call)
            return state.fault.map { fault in
                let number = state.calls.count { $0.line == call.line }
                return { fault(call, number) }
            }
        }?()
        var answer: TransportResponse
        switch fault {
        case .unreachable: throw .couldNotConnect("store.test")
        case .answer(let status, let body, let headers):
            answer = TransportResponse(status: status, headers: TransportHeaders(headers), body: Array(body.utf8))
        case .lostAnswer:
            _ = state.withLock { Self.answer(call, &$0) }
            throw .interrupted("store.test")
        case .otherBytes(let bytes):
            answer = TransportResponse(status: 200, body: bytes)
        case .cut, nil:
            answer = state.withLock { Self.answer(call, &$0) }
        }
        guard onHead != nil || onBody != nil else { return answer }
        do {
            try onHead?(TransportResponseHead(status: answer.status, headers: answer.headers))
            var arriving = answer.body[...]
            if case .cut(let count) = fault { arriving = arriving.prefix(count) }
            try Array(arriving).withUnsafeBytes { try onBody?($0) }
        } catch {
            throw .aborted("store.test", cause: error)
        }
        if case .cut = fault { throw .interrupted("store.test") }
        answer.body = []
        return answer
    }

    private static func parse(_ request: TransportRequest) -> Call {
        let parts = URLComponents(string: request.url)
        let body: [UInt8] =
            switch request.body {
            case .none: []
            case .bytes(let bytes): bytes
            case .file(let path, let offset, let length):
                Array(
                    (FileManager.default.contents(atPath: path) ?? Data()).dropFirst(Int(offset))
                        .prefix(length.map(Int.init) ?? .max))
            }
        return Call(
            method: request.method, key: (parts?.path ?? "").split(separator: "/").dropFirst().joined(separator: "/"),
            query: Dictionary(
                (parts?.queryItems ?? []).map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $1 }),
            headers: Dictionary(request.headers.map { ($0.0.lowercased(), $0.1) }, uniquingKeysWith: { $1 }), body: body
        )
    }

    static func error(_ code: String) -> String {
        "<?xml version=\"1.0\"?><Error><Code>\(code)</Code><Message>very-secret</Message></Error>"
    }

    private static func refusal(_ status: Int, _ code: String) -> TransportResponse {
        TransportResponse(status: status, body: Array(error(code).utf8))
    }

    private static func success(_ xml: String = "", headers: [(String, String)] = []) -> TransportResponse {
        TransportResponse(status: 200, headers: TransportHeaders(headers), body: Array(xml.utf8))
    }

    private static func answer(_ call: Call, _ state: inout State) -> TransportResponse {
        if !call.body.isEmpty || call.method == "PUT",
            call.headers["x-amz-content-sha256"] != SHA256Hasher.hash(call.body).hex
        {
            return refusal(400, "XAmzContentSHA256Mismatch")
        }
        switch (call.method, call.query["uploadId"], call.query["uploads"]) {
        case ("POST", nil, _?): return begin(call, &state)
        case ("PUT", let id?, _): return part(call, id, &state)
        case ("POST", let id?, _): return complete(call, id, &state)
        case ("DELETE", let id?, _):
            return state.parts.removeValue(forKey: id) == nil ? refusal(404, "NoSuchUpload") : success()
        case ("GET", _, _?): return unfinished(state)
        case ("GET", _, _) where call.key.isEmpty: return list(call, state)
        case ("PUT", _, _): return put(call, &state)
        case ("DELETE", _, _):
            state.objects[call.key] = nil
            return TransportResponse(status: 204)
        default: return get(call, state)
        }
    }

    private static func put(_ call: Call, _ state: inout State) -> TransportResponse {
        if let source = call.headers["x-amz-copy-source"] {
            guard let object = state.objects[String(source.dropFirst("/bucket/".count))] else {
                return refusal(404, "NoSuchKey")
            }
            state.objects[call.key] = (object.bytes, state.now, object.tag)
            return success("<CopyObjectResult><ETag>x</ETag></CopyObjectResult>")
        }
        state.objects[call.key] = (call.body, state.now, state.tag(call.body))
        return success()
    }

    private static func get(_ call: Call, _ state: State) -> TransportResponse {
        guard let object = state.objects[call.key] else {
            return call.method == "HEAD" ? TransportResponse(status: 404) : refusal(404, "NoSuchKey")
        }
        let headers = [
            ("Content-Length", String(object.bytes.count)), ("Last-Modified", httpDate(object.seconds)),
            ("ETag", "\"\(object.tag)\""),
        ]
        if call.method == "HEAD" { return success(headers: headers) }
        guard let range = call.headers["range"]?.dropFirst("bytes=".count).split(separator: "-"),
            let first = range.first.flatMap({ Int($0) })
        else { return TransportResponse(status: 200, headers: TransportHeaders(headers), body: object.bytes) }
        guard first < object.bytes.count else { return refusal(416, "InvalidRange") }
        let last = min(range.count > 1 ? Int(range[1]) ?? .max : .max, object.bytes.count - 1)
        return TransportResponse(
            status: 206,
            headers: TransportHeaders([("Content-Range", "bytes \(first)-\(last)/\(object.bytes.count)")]),
            body: Array(object.bytes[first...last]))
    }

    private static func list(_ call: Call, _ state: State) -> TransportResponse {
        let prefix = call.query["prefix"] ?? ""
        let all = state.objects.keys.sorted().filter { $0.hasPrefix(prefix) }
        if let delimiter = call.query["delimiter"] {
            let folders = Set(
                all.compactMap { key in
                    key.dropFirst(prefix.count).firstRange(of: delimiter).map { String(key[..<$0.upperBound]) }
                })
            let entries = folders.sorted().map { "<CommonPrefixes><Prefix>\($0)</Prefix></CommonPrefixes>" }
            return success(
                "<ListBucketResult><IsTruncated>false</IsTruncated>\(entries.joined())</ListBucketResult>")
        }
        let rest = all.filter { $0 > call.query["continuation-token"] ?? "" }
        let page = rest.prefix(state.pageLength)
        let entries = page.map { key -> String in
            let object = state.objects[key]
            return "<Contents><Key>\(key)</Key><LastModified>\(isoDate(object?.seconds ?? 0))</LastModified>"
                + "<ETag>&quot;\(object?.tag ?? "")&quot;</ETag><Size>\(object?.bytes.count ?? 0)</Size></Contents>"
        }
        let more =
            rest.count > page.count
            ? "<IsTruncated>true</IsTruncated><NextContinuationToken>\(page.last ?? "")</NextContinuationToken>" : ""
        return success(
            "<?xml version=\"1.0\"?>\n<ListBucketResult xmlns=\"x\">\(more)\(entries.joined())</ListBucketResult>")
    }

    private static func begin(_ call: Call, _ state: inout State) -> TransportResponse {
        state.lastID += 1
        state.parts["id-\(state.lastID)"] = (call.key, state.now, [:])
        return success(
            "<InitiateMultipartUploadResult><UploadId>id-\(state.lastID)</UploadId></InitiateMultipartUploadResult>")
    }

    private static func part(_ call: Call, _ id: String, _ state: inout State) -> TransportResponse {
        guard state.parts[id] != nil, let number = call.query["partNumber"].flatMap({ Int($0) }) else {
            return refusal(404, "NoSuchUpload")
        }
        state.parts[id]?.parts[number] = call.body
        return success(headers: [("ETag", "\"part&\(number)\"")])
    }

    private static func complete(_ call: Call, _ id: String, _ state: inout State) -> TransportResponse {
        guard let upload = state.parts.removeValue(forKey: id) else { return refusal(404, "NoSuchUpload") }
        let named = String(decoding: call.body, as: UTF8.self).components(separatedBy: "<PartNumber>").count - 1
        guard named == upload.parts.count else { return refusal(400, "InvalidPart") }
        let parts = upload.parts.sorted { $0.key < $1.key }.map(\.value)
        let tag = state.tag(parts.flatMap(md5)) + (state.hasOpaqueTags ? "" : "-\(parts.count)")
        state.objects[call.key] = (parts.flatMap { $0 }, state.now, tag)
        return success("  \n<CompleteMultipartUploadResult><ETag></ETag></CompleteMultipartUploadResult>")
    }

    private static func unfinished(_ state: State) -> TransportResponse {
        let entries = state.parts.map { id, upload in
            "<Upload><Key>\(upload.key)</Key><UploadId>\(id)</UploadId><Initiated>\(isoDate(upload.started))</Initiated></Upload>"
        }
        return success(
            "<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>\(entries.joined())</ListMultipartUploadsResult>"
        )
    }

    private static func isoDate(_ seconds: Int64) -> String {
        ISO8601DateFormatter().string(from: Date(timeIntervalSince1970: Double(seconds)))
    }

    private static func httpDate(_ seconds: Int64) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = .gmt
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: Date(timeIntervalSince1970: Double(seconds)))
    }
}
