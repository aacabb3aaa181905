import HearthHTTP
import HearthStorage
import HearthWire
import Testing

@testable import HearthDevicePlane
@testable import HearthManagement
@testable import HearthManagementTestSupport
@testable import HearthRouting
@testable import HearthServing

@Suite("Refusals") struct RefusalTests {
    private static let message = "The server failed to do this; its log says why."

    @Test("The log has the cause of a failure that the answer hides")
    func loggedCause() throws {
        let log = LogRecorder()
        let context = try TestService().context { log.add($0) }
        let cause = StorageError(.corrupt, "row 7 is damaged")
        let answer = context.failure(
            try RequestHead(method: .get, target: "/x"), APIError(.internal, "It failed.", cause: cause))
        TestResponse(answer, bodyBytesRead: 0).expectRefusal(500, "INTERNAL", "It failed.")
        #expect(log.lines.count == 1 && log.lines[0].hasSuffix("GET /x: It failed. (\(cause))"))
    }

    @Test("A path that nobody has, or another method, is answered in the envelope")
    func unknownPaths() throws {
        let service = try TestService()
        for path in [
            "/", "/v1beta2", "/v1beta2/projects", "/v1beta2/projects/project-a", "/v1/projects/project-a/x", "/a:b",
        ] {
            try service.call(.get, path).expectRefusal(404, "NOT_FOUND")
        }
        for (method, path, allowed) in [
            (.put, "/v1beta2/projects/project-a/models", "GET, HEAD, POST"), (.get, "/token", "POST"),
            (.post, "/healthz", "GET, HEAD"),
            (.delete, "/v1beta2/projects/project-a/models/x:download", "GET, HEAD, OPTIONS"),
            (.get, "/v1/projects/project-a/installations", "OPTIONS, POST"),
            (.patch, "/hearth/v1/projects/project-a/uploads", "DELETE, GET, HEAD, POST, PUT"),
            (.get, "/upload/storage/v1/b/bucket/o", "DELETE, POST, PUT"),
        ] as [(HTTPMethod, String, String)] {
            let answer = try service.call(method, path)
            answer.expectRefusal(405, "UNIMPLEMENTED")
            #expect(answer.headers["Allow"] == allowed)
        }
    }

    @Test(
        "The engine's own refusals are in the envelope",
        arguments: [
            (400, "INVALID_ARGUMENT"), (401, "UNAUTHENTICATED"), (403, "PERMISSION_DENIED"), (404, "NOT_FOUND"),
            (405, "UNIMPLEMENTED"), (408, "INVALID_ARGUMENT"), (413, "INVALID_ARGUMENT"), (414, "INVALID_ARGUMENT"),
            (429, "RESOURCE_EXHAUSTED"), (431, "INVALID_ARGUMENT"), (500, "INTERNAL"), (501, "UNIMPLEMENTED"),
            (503, "UNAVAILABLE"),
        ])
    func engine(status: Int, kind: String) {
        let response = HTTPFault.envelope(
            HTTPFault(status: status, message: "What is wrong \u{1F525} \"quoted\""))
        TestResponse(response, bodyBytesRead: 0).expectRefusal(status, kind, "What is wrong \u{1F525} \"quoted\"")
    }

    @Test("JSON is read up to its limit, n and n + 1, announced or not")
    func hugeJSON() throws {
        let service = try TestService { $0.limits.requestBodyBytes = 2000 }
        let headers: HTTPHeaders = ["Authorization": "Bearer \(try service.accessToken(service.a))"]
        for (count, status) in [(2000, 200), (2001, 413), (100_000, 413)] {
            for announces in [true, false] {
                let body = Array(#"{"displayName":"m\#(count)-\#(announces)"}"#.utf8)
                let answer = try service.call(
                    .post, "/v1beta2/projects/project-a/models", headers: headers,
                    body: body + [UInt8](repeating: 0x20, count: count - body.count), announces: announces)
                #expect(answer.status == status)
                if status == 413 {
                    answer.expectRefusal(413, "INVALID_ARGUMENT")
                    #expect(answer.bodyBytesRead <= (announces ? 0 : 3000))
                }
            }
        }
    }

    @Test("The default limit for JSON is 1 MiB")
    func defaultLimit() throws {
        let service = try TestService()
        try service.admin(.post, "models", String(repeating: " ", count: (1 << 20) + 1))
            .expectRefusal(413, "INVALID_ARGUMENT")
    }

    @Test("Without a token, management calls read nothing of the body")
    func unauthenticated() throws {
        let service = try TestService()
        let calls: [(HTTPMethod, String)] = [
            (.get, "models"), (.post, "models"), (.get, "models/1"), (.patch, "models/1"), (.delete, "models/1"),
        ]
        for (method, path) in calls {
            let answer = try service.call(method, "/v1beta2/projects/project-a/\(path)", body: Array("{}".utf8))
            answer.expectRefusal(401, "UNAUTHENTICATED")
            #expect(answer.bodyBytesRead == 0)
        }
    }

    @Test("A failing store is 500, and the reason is in the log only, without the query")
    func failingStore() throws {
        let service = try TestService { $0.metadata = FailingMetadata(error: StorageError(.corrupt, "page 7 is bad")) }
        let secret = "key=A-secret"
        try service.call(.get, "/v1beta2/projects/project-a/models/x:download?\(secret)")
            .expectRefusal(500, "INTERNAL", Self.message)
        #expect(
            service.log.lines == [
                "request-1 GET /v1beta2/projects/project-a/models/x:download: page 7 is bad"
            ])
    }

    @Test("A full disk is 507, so that tools can tell it from a bug")
    func fullDisk() throws {
        let service = try TestService { $0.metadata = FailingMetadata(error: StorageError(.noSpace, "no room")) }
        let path = "/v1beta2/projects/project-a/models/x:download"
        try service.call(.get, path + "?key=A").expectRefusal(507, "RESOURCE_EXHAUSTED", "The server's disk is full.")
        #expect(service.log.lines == ["request-1 GET \(path): no room"])
    }

    @Test("A shortage of files that may be open is 503, so that callers come back, and is in the log")
    func noDescriptors() throws {
        let service = try TestService { $0.metadata = FailingMetadata(error: StorageError(.tooManyOpen, "no more")) }
        let path = "/v1beta2/projects/project-a/models/x:download"
        let answer = try service.call(.get, path + "?key=A")
        answer.expectRefusal(
            503, "UNAVAILABLE", "The server has as many files open as it may; try again in a moment.")
        #expect(answer.headers["Retry-After"] == "10")
        #expect(service.log.lines == ["request-1 GET \(path): no more"])
    }

    @Test("A refusal that is the caller's fault leaves no line in the log")
    func quietLog() throws {
        let service = try TestService()
        #expect(try service.admin(.get, "models/x").status == 400)
        #expect(try service.call(.get, "/nothing").status == 404)
        #expect(service.log.lines.isEmpty)
    }
}

/// A store whose database is broken.
private struct FailingMetadata: MetadataStore {
    let error: StorageError
    let servingRevision: UInt64 = 1
    let isDamaged = false

    func read<Result>(_ body: (any MetadataReader) throws -> Result) throws -> Result { throw error }
    func write<Result>(_ body: (any MetadataWriter) throws -> Result) throws -> Result { throw error }
}
