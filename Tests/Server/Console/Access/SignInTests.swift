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

@Suite("Signing in to the console") struct SignInTests {
    private let fixture: ConsoleFixture

    init() throws { fixture = try ConsoleFixture() }

    @Test("A code is good once, and gives a new session")
    func once() throws {
        let code = try fixture.code()
        let first = Browser(fixture)
        let answer = try first.signIn(code)
        #expect(answer.status == 303 && answer.headers["Location"] == "/console/")
        #expect(try first.isSignedIn)
        let second = Browser(fixture)
        let refused = try second.signIn(code)
        refused.expectPage("Sign in", status: 401)
        #expect(refused.text.contains("This code or token is not valid, or was used before."))
        #expect(second.cookies.isEmpty && !refused.headers.contains("Set-Cookie"))
        #expect(try first.isSignedIn, "the session that the code began stays")
    }

    @Test("A code ends after 60 seconds")
    func expiry() throws {
        let (early, late) = (try fixture.code(), try fixture.code())
        fixture.service.time.advance(seconds: 59)
        #expect(try Browser(fixture).signIn(early).status == 303)
        fixture.service.time.advance(seconds: 1)
        #expect(try Browser(fixture).signIn(late).status == 401)
    }

    @Test("A code of a key that was revoked meanwhile is worth nothing")
    func revokedBefore() throws {
        let key = try fixture.service.addAccount("tool", .publisher)
        let code = try fixture.code(token: fixture.service.accessToken(key))
        #expect(
            try fixture.service.hearthAdmin(.delete, "serviceAccounts/\(key.email)/keys/\(key.id)").status == 200)
        #expect(try Browser(fixture).signIn(code).status == 401)
    }

    @Test(
        "Other texts are refused",
        arguments: ["", "x", "hearth_0000_x", "0123456789abcdef_" + String(repeating: "a", count: 43)])
    func wrong(proof: String) throws {
        let browser = Browser(fixture)
        #expect(try browser.signIn(proof).status == 401)
        #expect(browser.cookies.isEmpty)
    }

    @Test("An admin token signs in with its role; when it ends, so do its sessions")
    func tokens() throws {
        let token = try fixture.service.adminToken(.viewer)
        let browser = Browser(fixture)
        #expect(try browser.signIn(" \(token)\n").status == 303)
        let account = try browser.get("account")
        #expect(account.text.contains("(viewer)"))
        let id = try #require(token.split(separator: "_").dropFirst().first)
        #expect(try fixture.service.hearthAdmin(.delete, "adminTokens/\(id)").status == 200)
        let answer = try browser.get("account")
        #expect(answer.status == 303 && answer.headers["Location"] == "/console/sign-in?to=account")
        #expect(try browser.postRaw("account/sessions/x/revoke", []).status == 401)
        #expect(try Browser(fixture).signIn(token).status == 401)
    }

    @Test("A token that expires ends its sessions too")
    func expiringToken() throws {
        let ends = TestClock.start.adding(seconds: 100).microseconds
        let browser = Browser(fixture)
        #expect(try browser.signIn(fixture.service.adminToken(.owner, ends: ends)).status == 303)
        fixture.service.time.advance(seconds: 99)
        #expect(try browser.isSignedIn)
        fixture.service.time.advance(seconds: 1)
        #expect(try !browser.isSignedIn)
    }

    @Test("Guesses are limited per address, and the wait is told")
    func attempts() throws {
        let browser = Browser(fixture)
        browser.address = "192.0.2.1"
        for _ in 0..<10 { #expect(try browser.signIn("wrong").status == 401) }
        let refused = try browser.signIn("wrong")
        refused.expectPage("Sign in", status: 429)
        let wait = try #require(refused.headers["Retry-After"].flatMap { Int64($0) })
        #expect((1...60).contains(wait))
        #expect(browser.cookies.isEmpty)
        let other = Browser(fixture)
        other.address = "192.0.2.2"
        #expect(try other.signIn("wrong").status == 401)
        fixture.service.time.advance(seconds: wait)
        #expect(try browser.signIn("wrong").status == 401)
    }

    @Test("Whoever has a good code or token gets in, however much others at the same address guess")
    func notLockedOut() throws {
        let browser = Browser(fixture)
        browser.address = "192.0.2.1"
        for _ in 0..<20 { _ = try browser.signIn("wrong") }
        let code = try fixture.code()
        #expect(try browser.signIn(code).status == 303)
        #expect(try browser.isSignedIn)
        #expect(try browser.signIn(code).status == 429, "a used code is a guess like any other")
        #expect(try browser.signIn(fixture.service.adminToken(.viewer)).status == 303)
    }

    @Test("Wrong links, which any page of the web can make a browser ask for, do not count as sign-ins")
    func wrongLinksAside() throws {
        let browser = Browser(fixture)
        for _ in 0..<12 { _ = try browser.get("shared?link=wrong") }
        #expect(try browser.get("shared?link=wrong").status == 429)
        #expect(try browser.signIn("wrong").status == 401, "not 429")
    }

    @Test("A token that only follows opens no page, and begins no session")
    func mirror() throws {
        let browser = Browser(fixture)
        let refused = try browser.signIn(fixture.service.adminToken(.mirror, in: nil))
        refused.expectPage("Sign in", status: 403)
        #expect(refused.text.contains("This token only copies the server to a follower"))
        #expect(browser.cookies.isEmpty)
        #expect(try fixture.service.services.metadata.read { try $0.consoleSessions() }.isEmpty)
        #expect(try fixture.service.audit(nil).isEmpty, "nobody signed in")
    }

    @Test("A session that such a token began before gets a page that says why")
    func mirrorSession() throws {
        let token = try fixture.service.adminToken(.mirror, in: nil)
        let id = try #require(token.split(separator: "_").dropFirst().first)
        let secret = ConsoleSecret()
        let now = fixture.service.time.now.microseconds
        try fixture.service.services.metadata.write {
            try $0.insert(
                ConsoleSession(
                    id: secret.id, secretHash: secret.hash, credential: .adminToken(id: String(id)),
                    createdMicroseconds: now, usedMicroseconds: now, endsMicroseconds: now + 1_000_000_000,
                    address: "127.0.0.1", browser: ""))
        }
        let browser = Browser(fixture)
        browser.cookies["hearth-session-8080"] = secret.text
        for path in ["", "account", "projects/project-a/models", "nothing"] {
            let page = try browser.get(path)
            page.expectPage("Not allowed", status: 403)
            #expect(page.text.contains("A token of the role mirror only copies the server to a follower."))
        }
        #expect(fixture.log.lines.isEmpty, "the server did not fail")
    }

    @Test("Invented secrets of one network wait in one queue, also with the id of a session that has its own")
    func queues() throws {
        let browser = try fixture.browser()
        let secret = try #require(browser.session)
        let sessions = fixture.console.pages.knownSessions
        func queue(_ secret: String, from address: String = "192.0.2.1") throws -> String {
            sessions.queue(of: secret, try RequestHead(method: .get, target: "/", remoteAddress: address))
        }
        let invented =
            (0..<3).map { _ in ConsoleSecret().text }
            + ["\(secret.prefix(16))_" + String(repeating: "a", count: 43), "x"]
        for text in invented {
            browser.cookies["hearth-session-8080"] = text
            #expect(try !browser.isSignedIn)
        }
        #expect(try Set(invented.map { try queue($0) }).count == 1)
        #expect(try queue("x") != queue("x", from: "192.0.2.2"))
        #expect(try queue(secret) == queue(secret, from: "192.0.2.2"))
        #expect(try queue(secret) != queue("x"))
        browser.cookies["hearth-session-8080"] = secret
        #expect(try browser.post("sign-out").status == 303)
        #expect(try queue(secret) == queue("x"), "it has ended")
    }

    @Test("A server that does not know a session yet gives it a queue with its first page")
    func firstPage() throws {
        let browser = try fixture.browser()
        let secret = try #require(browser.session)
        let other = fixture.secondConsole()
        let head = try RequestHead(method: .get, target: "/", remoteAddress: "192.0.2.1")
        let before = other.pages.knownSessions.queue(of: secret, head)
        browser.console = other
        #expect(try browser.isSignedIn)
        #expect(other.pages.knownSessions.queue(of: secret, head) != before)
    }

    @Test("Wrong links to single pages are limited too")
    func links() throws {
        let browser = Browser(fixture)
        browser.address = "2001:db8::1"
        for _ in 0..<10 { #expect(try browser.get("shared?link=wrong").status == 404) }
        browser.address = "2001:db8::2"
        let refused = try browser.get("shared?link=wrong")
        #expect(refused.status == 429 && refused.headers.contains("Retry-After"), "one network is one client")
    }

    @Test(
        "The way back never leaves the console",
        arguments: [
            ("projects/project-a/keys", "/console/projects/project-a/keys"), ("", "/console/"),
            ("//evil.example", "/console/evil.example"), ("https://evil.example/x", "/console/https%3A/evil.example/x"),
            ("\\\\evil.example", "/console/%5C%5Cevil.example"), ("/\\evil.example", "/console/%5Cevil.example"),
            ("%2f%2fevil.example", "/console/%2F%2Fevil.example"), ("%2e%2e/evil", "/console/"),
            ("../../evil", "/console/"), ("a/../b", "/console/"),
            (".", "/console/"), ("a?b=c&d", "/console/a?b=c&d="), ("a%3Fb?c=%2F%26", "/console/a%3Fb?c=%2F%26"),
            ("a?%zz", "/console/"), ("%", "/console/"), ("?x=//evil", "/console/?x=%2F%2Fevil"),
            ("a#b", "/console/a%23b"),
            ("a\r\nSet-Cookie: x=y", "/console/a%0D%0ASet-Cookie%3A%20x%3Dy"),
            ("javascript:alert(1)", "/console/javascript%3Aalert%281%29"),
            (String(repeating: "a", count: 1001), "/console/"), ("@evil.example", "/console/%40evil.example"),
            ("\tevil", "/console/evil"), ("///", "/console/"),
        ])
    func openRedirect(to: String, location: String) throws {
        let answer = try Browser(fixture).signIn(fixture.code(), to: to)
        #expect(answer.status == 303 && answer.headers["Location"] == location)
    }

    @Test("A deep link leads there after the sign-in, and the page shows no hostile address as markup")
    func deepLink() throws {
        let browser = Browser(fixture)
        let asked = try browser.get("projects/project-a/keys/apps/%22%3E%3Cscript%3E?q=%3Cb%3E&r=1")
        let location = try #require(asked.headers["Location"])
        #expect(asked.status == 303 && location.hasPrefix("/console/sign-in?to=projects%2Fproject-a%2Fkeys%2Fapps%2F"))
        let page = try browser.send(.get, location)
        page.expectPage("Sign in")
        let back = try #require(page.text(between: "name=\"to\" value=\"", "\""))
        #expect(back == "projects/project-a/keys/apps/%22%3E%3Cscript%3E?q=%3Cb%3E&amp;r=1")
        let answer = try browser.signIn(fixture.code(), to: back.replacing("&amp;", with: "&"))
        #expect(answer.headers["Location"] == "/console/projects/project-a/keys/apps/%22%3E%3Cscript%3E?q=%3Cb%3E&r=1")
    }

    @Test("A code from another page's fragment is never sent; the form takes it, and a repeated fill does not show it")
    func noEcho() throws {
        let browser = Browser(fixture)
        let code = try fixture.code()
        let refused = try browser.signIn(code + "x")
        #expect(refused.status == 401 && !refused.text.contains(code))
    }

    @Test("Neither logs nor answers contain codes, sessions, tokens or links")
    func secrecy() throws {
        let token = try fixture.service.adminToken(.owner)
        let code = try fixture.code()
        let browser = Browser(fixture)
        _ = try browser.signIn(token)
        _ = try browser.signIn(code)
        let session = try #require(browser.session)
        var texts = fixture.log.lines + fixture.service.log.lines
        for path in ["account", "", "projects", "server", "nothing"] { texts.append(try browser.get(path).text) }
        _ = try browser.signIn(code)
        texts += try fixture.service.audit(nil).map { "\($0)" }
        for secret in [token, code, session] { #expect(!texts.contains { $0.contains(secret) }) }
    }
}
