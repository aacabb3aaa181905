import HearthAPI
import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthWire
import Testing

@Suite("Limits on calls") struct RateLimitTests {
    private func service(_ configure: (inout RateLimits) -> Void) throws -> TestService {
        let service = try TestService {
            $0.limits.rates = .unlimited
            configure(&$0.limits.rates)
        }
        try service.makeModel("flowers", StandInProbe.ok(), isPublished: true)
        return service
    }

    private func expectTooMany(_ answer: Answer, retryAfter: Int, sourceLocation: SourceLocation = #_sourceLocation) {
        answer.expectRefusal(
            429, "RESOURCE_EXHAUSTED", "Too many requests; try again in \(retryAfter) s.",
            sourceLocation: sourceLocation)
        #expect(answer.headers["Retry-After"] == "\(retryAfter)", sourceLocation: sourceLocation)
    }

    @Test("An installation that asks too often is told when to come back; others are not")
    func installation() throws {
        let service = try service { $0.installation = .init(requestsPerMinute: 6, burst: 3) }
        for _ in 0..<3 { #expect(try service.info("flowers").status == 200) }
        expectTooMany(try service.info("flowers"), retryAfter: 10)
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
        expectTooMany(try service.info("flowers"), retryAfter: 10)
        #expect(service.handler.limiter.installation.refusals == 2)
        #expect(service.handler.limiter.address.refusals == 0)
    }

    @Test("All that use one API key share its limit")
    func key() throws {
        let service = try service { $0.key = .init(requestsPerMinute: 60, burst: 2) }
        #expect(try service.info("flowers").status == 200 && service.info("flowers", from: "10.0.0.1").status == 200)
        expectTooMany(try service.info("flowers", from: "10.0.0.2"), retryAfter: 1)
        #expect(service.handler.limiter.key.refusals == 1)
        #expect(try service.admin(.get, "models").status == 200, "admin calls need no API key")
    }

    @Test("Whoever proves nothing is limited by address; whoever has a good token goes on from there")
    func address() throws {
        let service = try service { $0.address = .init(requestsPerMinute: 1, burst: 5) }
        let wrong: [() throws -> Answer] = [
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

    @Test("By default a client may be busy, and not more")
    func defaults() throws {
        let service = try TestService { $0.limits.rates = RateLimits() }
        for _ in 0..<300 { #expect(try service.call(.post, "/token", from: "2001:db8::1").status == 400) }
        expectTooMany(try service.call(.post, "/token", from: "2001:db8::2"), retryAfter: 1)
        #expect(try service.call(.post, "/token", from: "2001:db8:0:1::1").status == 400, "another network")
    }
}
