import HearthHTTP
import HearthIdentity
import HearthRouting
import Testing

@testable import HearthManagementTestSupport

@Suite("Calls from web pages") struct CrossOriginTests {
    private static let page = "https://app.example"
    private static let deviceRoutes: [(HTTPMethod, String)] = [
        (.post, "/v1/projects/project-a/installations"),
        (.post, "/v1/projects/project-a/installations/x/authTokens:generate"),
        (.delete, "/v1/projects/project-a/installations/x"),
        (.post, "/v1/projects/project-a/namespaces/firebase:fetch"),
        (.post, "/v1/projects/project-a/namespaces/firebase:streamFetchInvalidations"),
        (.get, "/v1beta2/projects/project-a/models/m:download"),
        (.get, "/hearth/v1/files/\(String(repeating: "a", count: 64))"),
        (.post, "/hearth/v1/projects/project-a/events"),
    ]
    private static let otherRoutes: [(HTTPMethod, String)] = [
        (.get, "/v1beta2/projects/project-a/models"), (.post, "/token"), (.get, "/healthz"), (.get, "/metrics"),
        (.get, "/hearth/v1/projects/project-a/events"), (.get, "/v1/projects/project-a/remoteConfig"),
        (.put, "/v1/projects/project-a/remoteConfig"), (.get, "/hearth/v1/projects"),
        (.get, "/storage/v1/b/bucket/o/x"),
        (.post, "/upload/storage/v1/b/bucket/o?uploadType=media&name=x"), (.get, "/nothing/here"),
        (.get, "/hearth/v1/projects/project-a/apiKeys"),
    ]

    private func service(_ origins: AllowedOrigins) throws -> TestService {
        try TestService { $0.allowedOrigins = origins }
    }

    private func fields(_ answer: TestResponse) -> [String] {
        answer.headers.map(\.name).filter { $0.lowercased().hasPrefix("access-control-") }
    }

    @Test(
        "A browser that asks first is told what pages may send, for every route of devices",
        arguments: CrossOriginTests.deviceRoutes)
    func preflight(method: HTTPMethod, target: String) throws {
        let answer = try service(.any).call(
            .options, target,
            headers: [
                "Origin": Self.page, "Access-Control-Request-Method": method.rawValue,
                "Access-Control-Request-Headers": "content-type,x-goog-api-key",
            ])
        #expect(answer.status == 204 && answer.body.isEmpty)
        #expect(answer.headers["Access-Control-Allow-Origin"] == "*")
        let methods = answer.headers["Access-Control-Allow-Methods"]?.split(separator: ", ").map(String.init)
        #expect(methods == [method.rawValue], "of \(target), nothing that is for administrators")
        let allowed = (answer.headers["Access-Control-Allow-Headers"] ?? "").lowercased().split(separator: ", ")
        for name in [
            "content-type", "content-encoding", "x-goog-api-key", "x-firebase-client", "if-none-match",
            "x-goog-firebase-installations-auth", "authorization", "accept",
        ] { #expect(allowed.contains(Substring(name)), "\(name)") }
        #expect(answer.headers["Access-Control-Max-Age"] == "86400")
        #expect(answer.headers["Access-Control-Allow-Credentials"] == nil)
    }

    @Test(
        "Answers and refusals of these routes may be seen by pages; without an origin nothing is said",
        arguments: CrossOriginTests.deviceRoutes)
    func answers(method: HTTPMethod, target: String) throws {
        let service = try service(.any)
        let answer = try service.call(method, target, headers: ["Origin": Self.page], body: Array("{}".utf8))
        #expect(answer.status >= 400, "without a key or a token")
        #expect(answer.headers["Access-Control-Allow-Origin"] == "*")
        #expect(answer.headers["Access-Control-Expose-Headers"]?.contains("ETag, Retry-After") == true)
        #expect(fields(try service.call(method, target, body: Array("{}".utf8))).isEmpty)
    }

    @Test("A page registers, is told of a model and gets its bytes")
    func wholeWay() throws {
        let service = try service(.any)
        try service.makeModel("m", FakeProbe.ok("flowers"), isPublished: true)
        for _ in 1...2 {
            // Twice: the second one is an answer that was encoded before.
            let info = try service.call(
                .get, "/v1beta2/projects/project-a/models/m:download",
                headers: [
                    "x-goog-api-key": service.a.apiKey, "x-ios-bundle-identifier": service.a.bundleID,
                    "x-goog-firebase-installations-auth": try service.installationToken(service.a),
                    "Host": "127.0.0.1:8080", "Origin": Self.page,
                ])
            #expect(info.status == 200 && info.headers["Access-Control-Allow-Origin"] == "*", "\(info.text)")
            let link = String(try #require(info.string("downloadUri")).dropFirst("http://127.0.0.1:8080".count))
            let bytes = try service.call(.get, link, headers: ["Origin": Self.page])
            #expect(bytes.status == 200 && bytes.headers["Access-Control-Allow-Origin"] == "*")
        }
        #expect(try service.info("m").headers["Access-Control-Allow-Origin"] == nil)
    }

    @Test("No other route says anything to pages, not even in an error", arguments: CrossOriginTests.otherRoutes)
    func closed(method: HTTPMethod, target: String) throws {
        let service = try service(.any)
        for headers in [["Origin": Self.page], try service.bearer().with("Origin", Self.page)] as [HTTPHeaders] {
            #expect(fields(try service.call(method, target, headers: headers)).isEmpty)
        }
        let preflight = try service.call(
            .options, target, headers: ["Origin": Self.page, "Access-Control-Request-Method": method.rawValue])
        let methods = preflight.headers["Access-Control-Allow-Methods"] ?? ""
        #expect(!methods.contains(method.rawValue), "\(methods)")
    }

    @Test("Named origins are let in by name, and all others are not")
    func named() throws {
        let service = try service(try #require(AllowedOrigins("https://app.example,http://localhost:5000")))
        let target = Self.deviceRoutes[0].1
        for origin in ["https://app.example", "http://localhost:5000"] {
            for method in [HTTPMethod.options, .post] {
                let answer = try service.call(method, target, headers: ["Origin": origin])
                #expect(answer.headers["Access-Control-Allow-Origin"] == origin)
                #expect(answer.headers["Vary"] == "Origin")
            }
        }
        for origin in ["https://evil.example", "http://app.example", "https://app.example.evil", "null", "*", ""] {
            for method in [HTTPMethod.options, .post] {
                let answer = try service.call(method, target, headers: ["Origin": origin])
                #expect(fields(answer).isEmpty && answer.headers["Vary"] == "Origin", "\(method) \(origin)")
            }
        }
    }

    @Test("Without allowed origins nothing is said to anybody")
    func none() throws {
        let service = try service(.none)
        let target = Self.deviceRoutes[0].1
        #expect(try service.call(.options, target, headers: ["Origin": Self.page]).status == 405)
        #expect(fields(try service.call(.post, target, headers: ["Origin": Self.page])).isEmpty)
    }

    @Test(
        "Origins are read as browsers write them",
        arguments: [
            ("*", true), ("", true), ("https://app.example", true), ("https://a.b:8443, http://localhost:5000", true),
            ("https://app.example/", false), ("app.example", false), ("https://APP.example", false),
            ("https://", false), ("https://a:443", false), ("http://a:80", false), ("http://a:0", false),
            ("https://a:70000", false), ("https://a,,https://b", false), ("*,https://a", false), ("null", false),
            ("https://a/path", false), ("https://u@a", false), ("capacitor://localhost", true),
            ("ionic://localhost", true), ("http://[::1]:5000", true), ("chrome-extension://abc-1", true),
            ("ftp://a", true), (" https://a , https://b ", true), ("https://a .example", false),
            ("https://a https://b", false), ("http://[::1", false), ("http://::1", false), ("http://[::1]5000", false),
            ("http://[]", false), ("http://[::G]", false), ("http://[::1]:80", false), ("1a://b", false),
            ("://a", false),
            ("Capacitor://localhost", false), ("https://a\tb", false),
        ])
    func texts(text: String, isRead: Bool) throws {
        let origins = AllowedOrigins(text)
        #expect((origins != nil) == isRead)
        if let origins { #expect(AllowedOrigins(origins.description) == origins) }
    }
}

extension HTTPHeaders {
    fileprivate func with(_ name: String, _ value: String) -> HTTPHeaders {
        var headers = self
        headers[name] = value
        return headers
    }
}
