import HearthCatalog
import HearthCrypto
import HearthIdentity
import HearthWire
import Testing

@testable import HearthDevicePlane
@testable import HearthHTTP
@testable import HearthManagement
@testable import HearthManagementTestSupport
@testable import HearthRouting
@testable import HearthServing

@Suite("Limits on calls") struct RateLimitTests {
    private func service(_ configure: (inout RateLimits) -> Void) throws -> TestService {
        let service = try TestService {
            $0.limits.rates = .unlimited
            configure(&$0.limits.rates)
        }
        try service.makeModel("flowers", FakeProbe.ok(), isPublished: true)
        return service
    }

    /// - Parameters:
    ///   - whose: requests are too many, as the answer says it.
    ///   - setting: that the answer names; nil for none.
    private func expectTooMany(
        _ answer: TestResponse, _ whose: String = " of this address without valid credentials",
        setting: String? = "address-burst", retryAfter: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        answer.expectRefusal(429, "RESOURCE_EXHAUSTED", sourceLocation: sourceLocation)
        let text = answer.string("error.message") ?? ""
        #expect(
            text.hasPrefix("Too many requests\(whose); try again in \(retryAfter) s."), "\(text)",
            sourceLocation: sourceLocation)
        #expect(text.contains(setting ?? "s."), "\(text)", sourceLocation: sourceLocation)
        #expect(answer.headers["Retry-After"] == "\(retryAfter)", sourceLocation: sourceLocation)
    }

    @Test("An installation that asks too often is told when to come back; others are not")
    func installation() throws {
        let service = try service { $0.installation = .init(requestsPerMinute: 6, burst: 3) }
        for _ in 0..<3 { #expect(try service.info("flowers").status == 200) }
        expectTooMany(
            try service.info("flowers"), " of this installation", setting: "installation-burst", retryAfter: 10)
        let other = try service.services.installationTokens.issue(
            fid: "cAAAAAAAAAAAAAAAAAAAA2", appID: "a", projectNumber: service.a.project.number,
            nowSeconds: service.time.now.seconds)
        #expect(
            try service.call(
                .get, "/v1beta2/projects/project-a/models/flowers:download?key=\(service.a.apiKey)",
                headers: ["x-goog-firebase-installations-auth": other]
            ).status == 200)
        service.time.advance(seconds: 10)
        #expect(try service.info("flowers").status == 200)
        expectTooMany(
            try service.info("flowers"), " of this installation", setting: "installation-burst", retryAfter: 10)
        #expect(service.handler.limiter.installation.refusals == 2)
        #expect(service.handler.limiter.address.refusals == 0)
    }

    @Test("Look-ups of one network wait in one queue, whatever addresses they come from")
    func lookUps() throws {
        func queue(_ address: String) throws -> String {
            RouteContext.lookUpQueue(of: try RequestHead(method: .get, target: "/", remoteAddress: address))
        }
        #expect(try queue("2001:db8::1") == queue("2001:db8::ffff:2"))
        #expect(try queue("2001:db8::1") != queue("2001:db8:0:1::1"))
        #expect(try queue("192.0.2.1") != queue("192.0.2.2"))
    }

    @Test("All that use one API key share its limit")
    func key() throws {
        let service = try service { $0.key = .init(requestsPerMinute: 60, burst: 2) }
        #expect(try service.info("flowers").status == 200 && service.info("flowers", from: "10.0.0.1").status == 200)
        expectTooMany(
            try service.info("flowers", from: "10.0.0.2"), " with this API key", setting: "key-burst", retryAfter: 1)
        #expect(service.handler.limiter.key.refusals == 1)
        #expect(try service.admin(.get, "models").status == 200, "admin calls need no API key")
    }

    @Test("Whoever proves nothing is limited by address; whoever has a good token goes on from there")
    func address() throws {
        let service = try service { $0.address = .init(requestsPerMinute: 1, burst: 5) }
        let wrong: [() throws -> TestResponse] = [
            { try service.call(.post, "/token", from: "10.0.0.1") },
            { try service.call(.post, "/v1/projects/project-a/installations", from: "10.0.0.1") },
            { try service.call(.get, "/v1beta2/projects/project-a/models/x:download?key=wrong", from: "10.0.0.1") },
            {
                try service.call(
                    .get, "/hearth/v1/projects", headers: ["Authorization": "Bearer hearth_x_y"], from: "10.0.0.1")
            },
            {
                try service.call(
                    .get, "/v1beta2/projects/project-a/models/x:download?key=\(service.a.apiKey)",
                    headers: ["x-goog-firebase-installations-auth": "wrong"], from: "10.0.0.1")
            },
        ]
        for ask in wrong[1...] { #expect(try ask().status != 429) }
        for ask in wrong { expectTooMany(try ask(), retryAfter: 60) }
        for header in ["Basic eDp5", "Bearer x"] {
            expectTooMany(
                try service.call(.post, "/token", headers: ["Authorization": header], from: "10.0.0.1"), retryAfter: 60)
        }
        #expect(try service.info("flowers", from: "10.0.0.1").status == 200)
        #expect(
            try service.call(
                .get, "/hearth/v1/projects", headers: ["Authorization": "Bearer \(try service.accessToken(service.a))"],
                from: "10.0.0.1"
            ).status == 200)
        #expect(try service.call(.post, "/token", from: "10.0.0.2").status == 400, "another address")
    }

    @Test("A registration with the app's key counts for the address, and the answer says why")
    func registration() throws {
        let service = try service { $0.address = .init(requestsPerMinute: 1, burst: 1) }
        func register() throws -> TestResponse {
            try service.call(
                .post, "/v1/projects/project-a/installations", headers: ["x-goog-api-key": service.a.apiKey],
                body: Array(#"{"appId":"\#(service.a.apiKeyRecord.appID)","authVersion":"FIS_v2"}"#.utf8))
        }
        #expect(try register().status == 200)
        let refusal = try register()
        expectTooMany(refusal, retryAfter: 60)
        #expect(refusal.string("error.message")?.contains("An API key is no secret, so registrations") == true)
    }

    @Test("Who shows a right key at the token endpoint is let in over the limit of the address; who does not is not")
    func rightKeyOverLimit() throws {
        let service = try service { $0.address = .init(requestsPerMinute: 1, burst: 1) }
        let (id, secret) = (service.a.accountKey.clientID, service.a.clientSecret)
        func ask(_ form: String, from address: String = "10.0.0.1") throws -> TestResponse {
            try service.call(.post, "/token", body: Array(form.utf8), from: address)
        }
        func client(_ secret: String) throws -> TestResponse {
            try ask("grant_type=client_credentials&client_id=\(id)&client_secret=\(secret)")
        }
        #expect(try ask("").status == 400)
        expectTooMany(try ask(""), retryAfter: 60)
        for _ in 0..<20 { #expect(try client(secret).status == 200) }
        expectTooMany(try client(secret + "x"), retryAfter: 60)
        expectTooMany(try ask("grant_type=client_credentials&client_id=x&client_secret=y"), retryAfter: 60)
        let padding = String(repeating: "x", count: 10_240 - "x=".utf8.count)
        expectTooMany(try ask("x=" + padding), retryAfter: 60)
        #expect(try ask("x=" + padding + "x").status == 413, "little is read of who is over the limit")
    }

    @Test("Signatures are checked over the limit for known keys only, ten at once for each key and address")
    func signaturesOverLimit() throws {
        let service = try service { $0.address = .init(requestsPerMinute: 1, burst: 1) }
        func ask(_ keyID: String, _ pem: String, from address: String = "10.0.0.1") throws -> TestResponse {
            let claims = """
                {"iss":"\(service.a.account.email)","exp":\(TestClock.start.seconds + 600),\
                "aud":"https://oauth2.googleapis.com/token"}
                """
            let assertion = try JWT.encodeRS256(
                payload: Array(claims.utf8), keyID: keyID, key: try RSAPrivateKey(pem: pem))
            let form = "assertion=\(assertion)&grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer"
            return try service.call(.post, "/token", body: Array(form.utf8), from: address)
        }
        let (id, pem) = (service.a.accountKey.id, service.a.privateKeyPEM)
        #expect(try ask(id, pem).status == 200)
        expectTooMany(try ask("unknown", pem), retryAfter: 60)
        expectTooMany(try ask(id, service.b.privateKeyPEM), retryAfter: 60)
        for _ in 0..<9 { #expect(try ask(id, pem).status == 200) }
        expectTooMany(try ask(id, pem), "", setting: nil, retryAfter: 1)
        #expect(try ask(id, pem, from: "10.0.0.2").status == 200)
        #expect(try ask(id, pem, from: "10.0.0.2").status == 200, "another address has its own")
        service.time.advance(seconds: 1)
        #expect(try ask(id, pem).status == 200)
    }

    @Test("By default a client may be busy, and not more")
    func defaults() throws {
        let service = try TestService { $0.limits.rates = RateLimits() }
        for _ in 0..<300 { #expect(try service.call(.post, "/token", from: "2001:db8::1").status == 400) }
        expectTooMany(try service.call(.post, "/token", from: "2001:db8::2"), retryAfter: 1)
        #expect(try service.call(.post, "/token", from: "2001:db8:0:1::1").status == 400, "another network")
    }
}

/// Connections and calls are counted for the same clients.
struct ClientNetworkTests {
    @Test func oneClientIsTheSameForConnectionsAndForCalls() throws {
        let addresses = [
            "192.0.2.1", "::ffff:192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8::ffff:1", "2001:db8:0:1::1", "::1",
            "fe80::1",
        ]
        for one in addresses {
            for other in addresses {
                let isSame = try #require(IPAddress(one)).network == #require(IPAddress(other)).network
                #expect(isSame == (ClientNetwork.name(of: one) == ClientNetwork.name(of: other)), "\(one), \(other)")
            }
        }
    }
}
