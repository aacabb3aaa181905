import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthRouting
import HearthStorage
import HearthWire
import Testing

@testable import HearthConsole
@testable import HearthManagementTestSupport

@Suite("Where the console is") struct AddressTests {
    private static let publicURL = "https://example.test/hearth"

    private func browser(_ fixture: ConsoleFixture, prefix: String) -> Browser {
        let browser = Browser(fixture)
        (browser.host, browser.origin, browser.prefix) = ("example.test", "https://example.test", prefix)
        return browser
    }

    @Test("A proxy may keep the path under which it publishes the server, or remove it", arguments: ["", "/hearth"])
    func prefix(prefix: String) throws {
        let fixture = try ConsoleFixture(publicURL: Self.publicURL)
        let browser = browser(fixture, prefix: prefix)
        let asked = try browser.get("projects/project-a/keys")
        #expect(asked.headers["Location"] == "/hearth/console/sign-in?to=projects%2Fproject-a%2Fkeys")
        let answer = try browser.signIn(fixture.code(), to: "projects/project-a/keys")
        #expect(answer.headers["Location"] == "/hearth/console/projects/project-a/keys")
        #expect(answer.headers["Set-Cookie"]?.contains("; Path=/;") == true, "as __Host- demands")
        let page = try browser.get("projects/project-a/keys")
        page.expectPage("Keys and tokens")
        for address in page.addresses {
            #expect(address.hasPrefix("/hearth/console/") || address.hasPrefix("#"), "\(address)")
        }
        #expect(page.text.contains("data-console=\"/hearth/console/\""))
        #expect(
            try browser.post("projects/project-a/keys/tokens/new", [("name", "x"), ("role", "viewer")]).status == 200)
        let asset = try browser.get("assets/\(Assets.shared.address(of: "style.css"))")
        #expect(asset.status == 200)
        let call = try browser.send(.get, "\(prefix)/console/api/hearth/v1/caller")
        #expect(call.string("role") == "owner")
    }

    @Test("The server's own path may contain the word console", arguments: ["", "/console", "/a/console/b"])
    func ownConsole(own: String) throws {
        let fixture = try ConsoleFixture(publicURL: "https://example.test" + own)
        for asked in Set(["", own]) {
            let browser = browser(fixture, prefix: asked)
            #expect(
                try browser.get("projects/project-a/keys").headers["Location"]
                    == "\(own)/console/sign-in?to=projects%2Fproject-a%2Fkeys", "\(asked)")
            #expect(try browser.signIn(fixture.code()).status == 303)
            #expect(try browser.get("assets/none.js").headers["Content-Type"]?.hasPrefix("text/plain") == true)
            try browser.get("nothing").expectPage("Not found", status: 404)
        }
    }

    @Test(
        "A path with escapes or slashes at its end is the same path",
        arguments: [
            ("https://example.test/hearth/", "/hearth", "/hearth"),
            ("https://example.test/hearth//", "/hearth", "/hearth"),
            ("https://example.test/he%61rth", "/hearth", "/hearth"),
            ("https://example.test/my%20team/hearth", "/my%20team/hearth", "/my%20team/hearth"),
            ("https://example.test/my%20team/hearth/", "/my%20te%61m/hearth", "/my%20team/hearth"),
            ("https://example.test/%7Eteam", "/~team", "/~team"),
        ])
    func escapedPrefix(publicURL: String, asked: String, shown: String) throws {
        let fixture = try ConsoleFixture(publicURL: publicURL)
        let head = try RequestHead(method: .get, target: asked + "/console/account")
        #expect(fixture.console.handles(head))
        let browser = browser(fixture, prefix: asked)
        #expect(try browser.signIn(fixture.code()).status == 303)
        let page = try browser.get("account")
        page.expectPage("Your account")
        for address in page.addresses {
            #expect(address.hasPrefix(shown + "/console/") || address.hasPrefix("#"), "\(address)")
        }
        #expect(try browser.send(.get, "\(asked)/console/api/hearth/v1/caller").string("role") == "owner")
    }

    @Test("Where browsers come by https, a page of the same host that came by http is not ours")
    func httpOrigin() throws {
        let fixture = try ConsoleFixture(publicURL: Self.publicURL)
        let browser = browser(fixture, prefix: "/hearth")
        let code = try fixture.code()
        browser.origin = "http://example.test"
        #expect(try browser.signIn(code).status == 403)
        browser.origin = "https://example.test"
        #expect(try browser.signIn(code).status == 303)
        let token = try browser.formToken()
        browser.origin = "http://example.test"
        #expect(try browser.post("sign-out", token: token).status == 403)
        browser.origin = "https://example.test"
        #expect(try browser.isSignedIn)
    }

    @Test("The same behind a trusted proxy that does TLS, without a public address")
    func httpOriginBehindProxy() throws {
        let fixture = try ConsoleFixture()
        let browser = Browser(fixture)
        browser.trustedProxies = try #require(AddressRanges("127.0.0.1"))
        browser.more = ["X-Forwarded-Proto": "https", "X-Forwarded-Host": "hearth.example"]
        browser.origin = "http://hearth.example"
        #expect(try browser.signIn(fixture.code()).status == 403)
        browser.origin = "https://hearth.example"
        #expect(try browser.signIn(fixture.code()).status == 303)
    }

    @Test("Only the own prefix counts", arguments: ["/hearth2", "/Hearth", "/hearth/hearth", "/x"])
    func otherPrefix(prefix: String) throws {
        let fixture = try ConsoleFixture(publicURL: Self.publicURL)
        let head = try RequestHead(method: .get, target: prefix + "/console/account")
        #expect(!fixture.console.handles(head))
        #expect(try browser(fixture, prefix: prefix).get("account").status == 404)
    }

    @Test("What is the console's is handled by it, and nothing else is")
    func handled() throws {
        let fixture = try ConsoleFixture()
        for (target, isOwn) in [
            ("/console", true), ("/console/", true), ("/console/x", true), ("/%63onsole/x", true), ("/consolex", false),
            ("/Console/", false), ("//console", false), ("/hearth/v1/console", false), ("/", false),
            ("/console%2Fx", false),
        ] {
            #expect(fixture.console.handles(try RequestHead(method: .get, target: target)) == isOwn, "\(target)")
        }
    }

    @Test("Behind a trusted proxy that does TLS, the cookie is Secure and the proxy's host is ours")
    func trustedProxy() throws {
        let fixture = try ConsoleFixture()
        let browser = Browser(fixture)
        (browser.host, browser.origin) = ("127.0.0.1:8080", "https://hearth.example")
        browser.trustedProxies = try #require(AddressRanges("127.0.0.1"))
        browser.more = [
            "X-Forwarded-For": "192.0.2.7", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "hearth.example",
        ]
        let answer = try browser.signIn(fixture.code())
        #expect(answer.headers["Set-Cookie"]?.hasPrefix("__Host-hearth-session=") == true)
        #expect(try browser.isSignedIn)
        let session = try fixture.service.services.metadata.read { try $0.consoleSessions() }.first
        #expect(session?.address == "192.0.2.7", "the client's, not the proxy's")
        browser.origin = "https://evil.example"
        #expect(try browser.post("sign-out").status == 403)
    }

    @Test("A proxy that is not trusted cannot say who we are")
    func untrustedProxy() throws {
        let fixture = try ConsoleFixture()
        let browser = Browser(fixture)
        browser.more = ["X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https"]
        browser.origin = "https://evil.example"
        #expect(try browser.signIn(fixture.code()).status == 403)
        browser.origin = "http://127.0.0.1:8080"
        let answer = try browser.signIn(fixture.code())
        #expect(answer.headers["Set-Cookie"]?.hasPrefix("hearth-session-8080=") == true)
    }

    @Test("Attempts behind a trusted proxy count for each client")
    func attemptsBehindProxy() throws {
        let fixture = try ConsoleFixture()
        let browser = Browser(fixture)
        browser.trustedProxies = try #require(AddressRanges("127.0.0.1"))
        browser.more = ["X-Forwarded-For": "192.0.2.7"]
        for _ in 0..<10 { #expect(try browser.signIn("wrong").status == 401) }
        #expect(try browser.signIn("wrong").status == 429)
        browser.more = ["X-Forwarded-For": "192.0.2.8"]
        #expect(try browser.signIn("wrong").status == 401)
    }

    @Test(
        "The server's address without a path leads to the console, also under the path of a proxy",
        arguments: [
            (nil, "/", "/console/"), (nil, "/?from=mail", "/console/"),
            ("https://hearth.example/team/ml", "/", "/team/ml/console/"),
            ("https://hearth.example/team/ml", "/team/ml", "/team/ml/console/"),
            ("https://hearth.example/team/ml", "/team/ml/", "/team/ml/console/"),
        ])
    func start(publicURL: String?, target: String, location: String) throws {
        let console = try ConsoleFixture(publicURL: publicURL).console
        for method in [HTTPMethod.get, .head] {
            let answer = console.start(for: try RequestHead(method: method, target: target, headers: [:]))
            #expect(answer?.status == 303 && answer?.headers["Location"] == location)
        }
        for (method, other) in [(HTTPMethod.post, target), (.get, "/nothing"), (.get, "/team"), (.get, "/console/")] {
            #expect(console.start(for: try RequestHead(method: method, target: other, headers: [:])) == nil)
        }
    }

    @Test(
        "With an address of their own for people, the address of devices knows neither console nor management",
        arguments: [
            "/console", "/console/", "/console/sign-in", "/console/api/hearth/v1/caller", "/%63onsole/",
            "/%63%6F%6E%73%6F%6C%65",
            "//console/", "/console//sign-in", "/Console/", "/CONSOLE", "/console;x", "/console%2Fsign-in",
            "/x/console/",
            "/hearth/console/", "http://127.0.0.1/console/", "/hearth/v1/caller", "/hearth/v1/projects",
            "/%68earth/v1/projects",
            "/hearth/v1/signInCodes", "/hearth/v1/consoleSessions", "/hearth/v1/server", "/hearth/v1/audit", "/token",
            "/v1beta2/projects/project-a/models", "/v1beta2/projects/project-a/models/1",
            "/v1beta2/projects/project%2Da/models",
            "/hearth/v1/projects/project-a/uploads", "/hearth/v1/projects/project-a/adminTokens",
            "/v1/projects/project-a/remoteConfig", "/v1/projects/project-a/remoteConfig:listVersions",
            "/storage/v1/b/project-a.hearth/o", "/upload/storage/v1/b/project-a.hearth/o", "/hearth/v1/openapi.json",
            "/HEARTH/v1/projects", "/hearth//v1/projects", "/hearth/v1/projects/",
        ])
    func deviceAddress(target: String) throws {
        let fixture = try ConsoleFixture()
        let token = try fixture.service.adminToken(.owner, in: nil)
        for method in [HTTPMethod.get, .post, .put, .patch, .delete, .head, .options] {
            let head = try RequestHead(
                method: method, target: target,
                headers: ["Authorization": "Bearer \(token)", "Host": "127.0.0.1:8080"],
                contentLength: 0)
            let answer = try #require(
                InProcessCall.run(DeviceSide(fixture.service.handler), head, body: [], pieceBytes: 1))
            #expect(answer.status == 404, "\(method) \(target)")
        }
    }

    @Test("The address of devices answers devices and monitoring")
    func devices() throws {
        let fixture = try ConsoleFixture()
        try fixture.service.makeModel("flowers", FakeProbe.ok(), isPublished: true)
        for (target, status) in [("/healthz", 200), ("/readyz", 200), ("/metrics", 200)] {
            let head = try RequestHead(method: .get, target: target, headers: ["Host": "127.0.0.1:8080"])
            let answer = InProcessCall.run(DeviceSide(fixture.service.handler), head, body: [], pieceBytes: 1)
            #expect(answer?.status == status, "\(target)")
        }
        let head = try RequestHead(
            method: .get, target: "/v1beta2/projects/project-a/models/flowers:download?key=\(fixture.service.a.apiKey)",
            headers: [
                "x-goog-firebase-installations-auth": try fixture.service.installationToken(fixture.service.a),
                "x-ios-bundle-identifier": fixture.service.a.bundleID,
            ])
        let answer = InProcessCall.run(DeviceSide(fixture.service.handler), head, body: [], pieceBytes: 1)
        #expect(answer?.status == 200)
    }

    /// What an address for devices serves.
    private struct DeviceSide: RequestHandler {
        let handler: any RequestHandler

        init(_ service: HearthService) { handler = service.deviceHandler }

        func plan(for head: RequestHead) -> RequestPlan { handler.plan(for: head) }
    }
}

extension TestResponse {
    /// All addresses in the page.
    var addresses: [String] {
        ["href", "src", "action"].flatMap { name in
            text.ranges(of: " \(name)=\"").map { range in String(text[range.upperBound...].prefix { $0 != "\"" }) }
        }
    }
}
