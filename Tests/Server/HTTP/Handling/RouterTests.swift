import HearthHTTP
import Testing

struct RouterTests {
    private static func route(_ method: HTTPMethod, _ pattern: String) -> Route {
        Route(method, pattern) { _, parameters in
            let values = ["project", "model", "name", "id"].map { parameters[$0] }.filter { !$0.isEmpty }
            return .answer(.text(pattern + " " + values.joined(separator: ",")))
        }
    }

    private let router = Router([
        route(.get, "v1/projects/{project}/models/{model}"),
        route(.patch, "v1/projects/{project}/models/{model}"),
        route(.get, "v1/projects/{project}/models/{model}:download"),
        route(.get, "v1/projects/{project}/models/latest"),
        route(.post, "v1/projects/{project}/models"),
        route(.post, "/v1/installations/{id}/authTokens:generate/"),
        route(.get, "files/{name...}"),
        route(.get, "files/index"),
        route(.get, "/"),
        route(.head, "health"),
    ])

    private func answer(_ method: HTTPMethod, _ target: String) throws -> Response {
        guard case .answer(let response) = router.plan(for: try RequestHead(method: method, target: target)) else {
            throw RawClient.Failure(text: "not an answer")
        }
        return response
    }

    private func text(_ method: HTTPMethod, _ target: String) throws -> String {
        guard case .bytes(let bytes) = try answer(method, target).body else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: [
        ("/v1/projects/p/models/m", "v1/projects/{project}/models/{model} p,m"),
        ("/v1/projects/p/models/m/", "v1/projects/{project}/models/{model} p,m"),
        ("/v1/projects/p/models/m:download", "v1/projects/{project}/models/{model}:download p,m"),
        ("/v1/projects/a:b/models/c:d:download", "v1/projects/{project}/models/{model}:download a:b,c:d"),
        ("/v1/projects/p/models/m%3Adownload", "v1/projects/{project}/models/{model} p,m:download"),
        ("/v1/projects/p/models/a%2Fb", "v1/projects/{project}/models/{model} p,a/b"),
        ("/v1/projects/p/models/latest", "v1/projects/{project}/models/latest p"),
        ("/files/a/b/c", "files/{name...} a/b/c"), ("/files/a:b/c:verb", "files/{name...} a:b/c:verb"),
        ("/files/index", "files/index "), ("/", "/ "),
    ])
    func aPathFindsItsMostSpecificRoute(target: String, expected: String) throws {
        #expect(try text(.get, target) == expected)
    }

    @Test func aVerbOnALiteralIsPartOfTheRoute() throws {
        #expect(try text(.post, "/v1/installations/i/authTokens:generate").hasSuffix(" i"))
        #expect(try answer(.post, "/v1/installations/i/authTokens").status == 404)
    }

    @Test(arguments: [
        "/v1/projects/p/models/m:upload", "/v1/projects/p/models/:download", "/v1/projects//models/m", "/files",
        "/v1/projects/p/models/m/x", "/v2", "//", "/v1/projects/p/models/m:",
    ])
    func unknownPathsAreNotFound(target: String) throws {
        #expect(try answer(.get, target).status == 404)
    }

    @Test func anotherMethodIsRefusedWithThoseAllowed() throws {
        let response = try answer(.delete, "/v1/projects/p/models/m")
        #expect(response.status == 405)
        #expect(response.headers["Allow"] == "GET, HEAD, PATCH")
        #expect(try answer(.get, "/v1/projects/p/models").headers["Allow"] == "POST")
        #expect(try answer(.get, "/health").headers["Allow"] == "HEAD")
    }

    @Test func aLiteralOfAnotherMethodDoesNotHideAParameter() throws {
        #expect(try text(.patch, "/v1/projects/p/models/latest").hasSuffix(" p,latest"))
    }

    @Test func headFallsBackToGet() throws {
        #expect(try answer(.head, "/v1/projects/p/models/m").status == 200)
        #expect(try answer(.head, "/health").status == 200)
    }

    @Test func refusalsHaveTheCallersForm() throws {
        let router = Router([Self.route(.get, "a")]) { .json(Array("{\"code\":\($0.status)}".utf8), status: $0.status) }
        guard case .answer(let response) = router.plan(for: try RequestHead(method: .get, target: "/b")) else { return }
        #expect(response.headers["Content-Type"] == "application/json; charset=utf-8")
        #expect(response.status == 404)
    }
}
