import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthTestSupport
import HearthWire
import Testing

@testable import HearthManagementTestSupport

@Suite("Random requests") struct RandomRequestTests {
    private static let methods: [HTTPMethod] = [.get, .head, .post, .patch, .delete, .put, .init(rawValue: "BREW")]
    private static let segments = [
        "v1beta2", "v1", "hearth", "projects", "project-a", "project-b", "models", "1000001", "flowers:download",
        "flowers", "installations", "uploads", "files", "token", "healthz", "authTokens:generate", ":", "%F0%9F%94%A5",
        "99999999999999999999", "a%2Fb", "-1",
    ]
    private static let routes = [
        "/v1beta2/projects/project-a/models", "/v1beta2/projects/project-a/models/1000001",
        "/v1beta2/projects/project-a/models/flowers:download", "/hearth/v1/projects/project-a/uploads", "/token",
        "/v1/projects/project-a/installations/", "/v1/projects/project-a/installations/x/authTokens:generate",
        "/v1beta2/projects/project-a/operations/1000001-1", "/hearth/v1/projects/project-a/models/1000001/versions",
        "/hearth/v1/projects/project-a/models/1000001/versions/1",
        "/hearth/v1/projects/project-a/models/1000001/releases",
        "/hearth/v1/projects/project-a/models/1000001/releases/1",
        "/hearth/v1/projects/project-a/models/1000001/releases/1:pause",
        "/hearth/v1/projects/project-a/models/1000001:rollback",
        "/hearth/v1/files/" + String(repeating: "a", count: 64), "/healthz", "/storage/v1/b/bucket",
        "/storage/v1/b/bucket/o/a%2Fb", "/upload/storage/v1/b/bucket/o", "/upload/storage/v1/b/bucket/o",
    ]
    private static let queries = [
        "name", "filter", "pageSize", "page_token", "updateMask", "key", "expires", "signature", "x",
        "uploadType", "upload_id", "resumable",
    ]
    private static let values = [
        "", "1", "-1", "x", "displayName", "tags:t1", "%27", "9223372036854775807", "%F0%9F%94%A5", "a,b", "true", "+",
        "multipart", "resumable", "media",
    ]
    private static let pieces = [
        "{", "}", "[", "]", ":", ",", "\"displayName\"", "\"tags\"", "\"state\"", "\"published\"", "true", "null",
        "1e999",
        "\"flowers\"", "\"tfliteModel\"", "\"hearth\"", "\"contractCheck\"", "\"version\"", "\"share\"", "\"stages\"",
        "\"audience\"",
        "\"time\"", "0.5", "\"2028-01-01T00:00:00Z\"", "\"source\"", "\"gcsTfliteUri\"", "\"gs://bucket/x\"",
        "\"appId\"", "\"fid\"",
        "grant_type=",
        "client_credentials", "&", "ok ", "\u{1F}\u{8B}", "\u{0}", "🔥", "-0", "\"\\ud800\"",
        "--b", "\r\n", "\r\n\r\n", "--b--", "\"name\"", "\"crc32c\"",
    ]

    private static let statuses = [200, 201, 206, 304, 308, 400, 401, 403, 404, 405, 413, 416, 429]

    private let service: TestService

    init() throws {
        service = try TestService()
        try service.makeModel("flowers", FakeProbe.ok(), isPublished: true, tags: ["t1"])
    }

    private func target(_ random: inout SeededGenerator) -> String {
        var path = Self.routes.randomElement(using: &random) ?? "/"
        if Int.random(in: 0..<3, using: &random) == 0 {
            let count = Int.random(in: 0...6, using: &random)
            path =
                "/" + (0..<count).map { _ in Self.segments.randomElement(using: &random) ?? "" }.joined(separator: "/")
        }
        let items = (0..<Int.random(in: 0...3, using: &random)).map { _ in
            (Self.queries.randomElement(using: &random) ?? "") + "=" + (Self.values.randomElement(using: &random) ?? "")
        }
        return items.isEmpty ? path : path + "?" + items.joined(separator: "&")
    }

    private func headers(_ random: inout SeededGenerator) throws -> HTTPHeaders {
        var headers: HTTPHeaders = [:]
        let tokens = [try service.accessToken(service.a), try service.accessToken(service.b), "x", "", "a.b.c"]
        if Int.random(in: 0..<4, using: &random) > 0 {
            let scheme = ["Bearer ", "Bearer ", "Basic ", "FIS_v2 ", ""].randomElement(using: &random) ?? ""
            headers["Authorization"] = scheme + (tokens.randomElement(using: &random) ?? "")
        }
        if Bool.random(using: &random) { headers["X-Goog-Api-Key"] = service.a.apiKey }
        if Bool.random(using: &random) {
            headers["X-Goog-Firebase-Installations-Auth"] = try service.installationToken(service.a)
        }
        headers["Content-Range"] =
            [nil, nil, "bytes 0-9/10", "bytes */*", "bytes 9-1/2", "bytes 0-18446744073709551614/*"]
            .randomElement(using: &random) ?? nil
        headers["Content-Type"] =
            [nil, "multipart/related; boundary=b", "application/json"].randomElement(using: &random) ?? nil
        headers["x-goog-hash"] = [nil, nil, "crc32c=AAAAAA==", "crc32c=,,"].randomElement(using: &random) ?? nil
        headers["If-None-Match"] = [nil, ",", "W/", "\""].randomElement(using: &random) ?? nil
        headers["Range"] = [nil, "bytes=-", "bytes=1-"].randomElement(using: &random) ?? nil
        headers["Host"] = [nil, "", "a:b:c", "[", "x/y"].randomElement(using: &random) ?? nil
        return headers
    }

    private func body(_ random: inout SeededGenerator) -> [UInt8] {
        if Int.random(in: 0..<4, using: &random) == 0 {
            return (0..<Int.random(in: 0...300, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        }
        let count = Int.random(in: 0...20, using: &random)
        return Array((0..<count).map { _ in Self.pieces.randomElement(using: &random) ?? "" }.joined().utf8)
    }

    @Test("Whatever comes, there is an answer, and a refusal explains itself", arguments: 0..<6 as Range<UInt64>)
    func answers(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<250 {
            let (target, method) = (target(&random), Self.methods.randomElement(using: &random) ?? .get)
            let answer = try service.call(
                method, target, headers: try headers(&random), body: body(&random),
                announces: Bool.random(using: &random), pieceBytes: Int.random(in: 1...100, using: &random))
            #expect(Self.statuses.contains(answer.status), "\(method) \(target)")
            guard answer.status >= 400, answer.status != 416 else { continue }
            let reason = answer.string("error.message") ?? answer.string("error_description")
            #expect(reason?.isEmpty == false, "\(method) \(target): \(answer.text)")
        }
        #expect(service.log.lines.isEmpty, "nothing that a stranger sends is the server's failure")
    }
}
