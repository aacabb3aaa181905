import HearthTestSupport
import Testing

@testable import HearthTransport

@Suite("Redirect decisions") struct RedirectRuleTests {
    private func next(
        from url: String, to target: String, method: String = "GET", status: Int = 302,
        body: TransportRequest.Body = .none, headers: [(String, String)] = [("Authorization", "x")],
        policy: TransportRequest.Redirects = .follow(max: 5)
    ) throws(TransportError) -> OutgoingRequest {
        let request = try OutgoingRequest(TransportRequest(method: method, url: url, headers: headers, body: body))
        let head = TransportResponseHead(status: status, headers: TransportHeaders([("Location", target)]))
        return try RedirectRule(policy: policy).next(after: request, head: head, followed: 0)
    }

    @Test("https never falls back to http; http may rise to https, without credentials")
    func schemes() throws {
        for policy in [TransportRequest.Redirects.refuse, .follow(max: 5), .followSameHost(max: 5)] {
            let error = #expect(throws: TransportError.self) {
                try next(from: "https://a.example/", to: "http://a.example/", policy: policy)
            }
            #expect(error?.code == .insecureRedirect)
        }
        let risen = try next(from: "http://a.example/", to: "https://a.example/")
        #expect(risen.url.text == "https://a.example/")
        #expect(risen.headers.isEmpty)
    }

    @Test(
        "Scheme, host and port make the origin",
        arguments: [
            ("https://a.example/x", true), ("https://A.EXAMPLE:443/", true), ("//a.example/y", true), ("y", true),
            ("https://a.example:444/", false), ("https://b.example/", false), ("https://a.example.b.example/", false),
        ])
    func origins(target: String, keepsCredentials: Bool) throws {
        #expect(try next(from: "https://a.example/", to: target).headers.isEmpty == !keepsCredentials)
    }

    @Test(
        "Where only the same host is followed, its ports and its rise to https are, and nobody else",
        arguments: [
            ("http://a.example/", "/b", true), ("http://a.example/", "https://A.example/", true),
            ("https://a.example/", "https://a.example:8443/", true),
            ("https://a.example/", "https://b.example/", false),
            ("https://a.example/", "https://a.example.b.example/", false),
            ("https://a.example/", "//b.example/", false),
        ])
    func sameHost(url: String, target: String, isFollowed: Bool) {
        if isFollowed {
            #expect(throws: Never.self) { try next(from: url, to: target, policy: .followSameHost(max: 1)) }
        } else {
            let error = #expect(throws: TransportError.self) {
                try next(from: url, to: target, policy: .followSameHost(max: 1))
            }
            #expect(error?.code == .redirectRefused)
        }
    }

    @Test("An upload is not repeated to another origin")
    func uploadElsewhere() {
        let error = #expect(throws: TransportError.self) {
            try next(
                from: "https://a.example/", to: "https://b.example/", method: "PUT", status: 307, body: .bytes([1]))
        }
        #expect(error?.code == .redirectRefused)
    }

    @Test(
        "Methods change as browsers change them",
        arguments: [
            (301, "POST", "GET"), (302, "POST", "GET"), (303, "PUT", "GET"), (303, "HEAD", "HEAD"),
            (302, "HEAD", "HEAD"),
            (307, "POST", "POST"), (308, "DELETE", "DELETE"), (302, "PUT", "PUT"),
        ])
    func methods(status: Int, method: String, expected: String) throws {
        #expect(try next(from: "https://a.example/", to: "/b", method: method, status: status).method == expected)
    }

    @Test("Spaces and letters of all languages in an address are encoded")
    func unencodedTargets() throws {
        #expect(try next(from: "https://a.example/", to: "/a b/ü").url.text == "https://a.example/a%20b/%c3%bc")
    }

    @Test("Zero redirects allowed means none")
    func zero() throws {
        let request = try OutgoingRequest(TransportRequest(url: "https://a.example/"))
        let head = TransportResponseHead(status: 302, headers: TransportHeaders([("Location", "/b")]))
        #expect(throws: TransportError.self) {
            try RedirectRule(policy: .follow(max: 0)).next(after: request, head: head, followed: 0)
        }
    }
}

@Suite("Redirects on the wire") struct RedirectTests {
    let client = TestClient.make()

    /// Redirects `/start` to `target` and repeats what it was asked elsewhere.
    private func server(status: Int = 302, to target: @escaping @Sendable () -> String) throws -> RawServer {
        try RawServer(always: { request in
            guard request.line.contains("/start") else {
                return TestClient.answer(request.head + "\r\n\r\n" + String(decoding: request.body, as: UTF8.self))
            }
            return TestClient.answer("moved", status: "\(status) Moved", headers: "Location: \(target())\r\n")
        })
    }

    private func text(_ response: TransportResponse) -> String {
        String(decoding: response.body, as: UTF8.self)
    }

    @Test("Refused unless allowed; 308 without an address is an ordinary answer")
    func refusedByDefault() throws {
        let server = try server { "/end" }
        #expect(TestClient.error(TransportRequest(url: server.url("/start")))?.code == .redirectRefused)
        let storage = try RawServer(always: { _ in TestClient.answer("", status: "308 Resume Incomplete") })
        #expect(try client.send(TransportRequest(url: storage.url())).status == 308)
    }

    @Test("Followed when allowed; head and body are the last answer's only")
    func followed() throws {
        let server = try server { "end?x=1" }
        var heads: [Int] = []
        var streamed: [UInt8] = []
        _ = try client.send(
            TransportRequest(url: server.url("/a/start"), redirects: .follow(max: 1)),
            onHead: { heads.append($0.status) }, onBody: { streamed.append(contentsOf: $0) })
        #expect(heads == [200])
        #expect(String(decoding: streamed, as: UTF8.self).hasPrefix("GET /a/end?x=1 HTTP/1.1\r\n"))
    }

    @Test("A redirect page may be longer than the answer that is expected")
    func redirectPage() throws {
        let server = try RawServer(always: { request in
            request.line.contains("/start")
                ? TestClient.answer(
                    String(repeating: "moved ", count: 200), status: "301 X", headers: "Location: /end\r\n")
                : TestClient.answer("ok")
        })
        let request = TransportRequest(url: server.url("/start"), maxResponseBytes: 2, redirects: .follow(max: 1))
        #expect(text(try client.send(request)) == "ok")
    }

    @Test("A loop ends after the number allowed")
    func loop() throws {
        let server = try server { "/start" }
        let request = TransportRequest(url: server.url("/start"), redirects: .follow(max: 3))
        #expect(TestClient.error(request)?.code == .redirectRefused)
    }

    @Test("Where only the same host is followed, another one is never asked")
    func sameHostOnly() throws {
        let elsewhere = try RawServer(always: { _ in TestClient.answer("x") })
        let away = elsewhere.url("/end", host: "localhost")
        let server = try server { away }
        let refused = TransportRequest(url: server.url("/start"), redirects: .followSameHost(max: 3))
        #expect(TestClient.error(refused)?.code == .redirectRefused)
        #expect(elsewhere.connectionCount == 0)
        let other = try self.server { "/end" }
        let followed = TransportRequest(url: other.url("/start"), redirects: .followSameHost(max: 1))
        #expect(text(try client.send(followed)).hasPrefix("GET /end"))
        let looping = try self.server { "/start" }
        let loop = TransportRequest(url: looping.url("/start"), redirects: .followSameHost(max: 3))
        #expect(TestClient.error(loop)?.code == .redirectRefused)
    }

    @Test("The same origin keeps credentials; another host gets none")
    func credentials() throws {
        let headers = [("Authorization", "Bearer t"), ("X-Goog-Api-Key", "k"), ("Cookie", "c"), ("Range", "bytes=5-")]
        let same = try server { "/end" }
        let kept = text(
            try client.send(
                TransportRequest(url: same.url("/start"), headers: headers, redirects: .follow(max: 1))))
        #expect(kept.contains("Authorization: Bearer t") && kept.contains("X-Goog-Api-Key: k"))

        let elsewhere = try server { "" }
        let target = elsewhere.url("/end")
        let away = try server { target }
        let stripped = text(
            try client.send(
                TransportRequest(url: away.url("/start"), headers: headers, redirects: .follow(max: 1))))
        for name in ["Authorization", "X-Goog-Api-Key", "Cookie"] {
            #expect(!stripped.contains(name))
        }
        #expect(stripped.contains("Range: bytes=5-"))
    }

    @Test("307 repeats an upload on the same origin")
    func repeatedUpload() throws {
        let server = try server(status: 307) { "/end" }
        let response = try client.send(
            TransportRequest(
                method: "PUT", url: server.url("/start"), body: .bytes(Array("data".utf8)), redirects: .follow(max: 1)))
        #expect(text(response).hasPrefix("PUT /end"))
        #expect(text(response).hasSuffix("\r\n\r\ndata"))
    }

    @Test("303 turns an upload into a GET without body")
    func seeOther() throws {
        let server = try server(status: 303) { "/end" }
        let response = try client.send(
            TransportRequest(
                method: "POST", url: server.url("/start"), headers: [("Content-Type", "text/plain")],
                body: .bytes(Array("data".utf8)), redirects: .follow(max: 1)))
        #expect(text(response).hasPrefix("GET /end"))
        #expect(!text(response).contains("Content-") && !text(response).hasSuffix("data"))
    }

    @Test(
        "Addresses of other kinds are refused",
        arguments: ["ftp://127.0.0.1/x", "file:///etc/passwd", "http://user:pw@127.0.0.1/", "http://", "javascript:1"])
    func strangeTargets(target: String) throws {
        let server = try server { target }
        let request = TransportRequest(url: server.url("/start"), redirects: .follow(max: 1))
        #expect(TestClient.error(request)?.code == .redirectRefused)
    }
}
