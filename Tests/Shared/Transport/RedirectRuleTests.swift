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
