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

@Suite("Sessions of the console") struct SessionTests {
    private let fixture: ConsoleFixture

    init() throws { fixture = try ConsoleFixture() }

    private static let attributes = "Path=/; Max-Age=691200; HttpOnly; SameSite=Lax"

    @Test("The cookie on http has the port in its name, and no Secure, which browsers would refuse there")
    func plainCookie() throws {
        let answer = try Browser(fixture).signIn(fixture.code())
        let cookie = try #require(answer.headers["Set-Cookie"])
        #expect(cookie.hasPrefix("hearth-session-8080=") && cookie.hasSuffix("; " + Self.attributes))
    }

    @Test("The cookie on https is Secure and for this host only")
    func secureCookie() throws {
        let fixture = try ConsoleFixture(publicURL: "https://hearth.example")
        let browser = Browser(fixture)
        (browser.host, browser.origin) = ("hearth.example", "https://hearth.example")
        let cookie = try #require(try browser.signIn(fixture.code()).headers["Set-Cookie"])
        #expect(cookie.hasPrefix("__Host-hearth-session=") && cookie.hasSuffix("; \(Self.attributes); Secure"))
        #expect(!cookie.contains("Domain"))
        #expect(try browser.isSignedIn)
    }

    @Test("A session that a client invents or brings is not taken over")
    func fixation() throws {
        let attacker = try fixture.browser()
        let stolen = try #require(attacker.session)
        let victim = Browser(fixture)
        victim.cookies["hearth-session-8080"] = "0123456789abcdef_" + String(repeating: "a", count: 43)
        #expect(try !victim.isSignedIn)
        victim.cookies["hearth-session-8080"] = stolen
        #expect(try victim.signIn(fixture.code(token: fixture.service.adminToken(.viewer))).status == 303)
        #expect(victim.session != stolen)
        #expect(try attacker.get("account").text.contains("(owner)"), "the other session is unchanged")
        #expect(try victim.get("account").text.contains("(viewer)"))
    }

    @Test(
        "Only the whole secret counts, under the right name",
        arguments: ["hearth-session", "hearth-session-80", "__Host-hearth-session", "Hearth-Session-8080"])
    func names(name: String) throws {
        let browser = try fixture.browser()
        let secret = try #require(browser.session)
        browser.cookies = [name: secret]
        #expect(try !browser.isSignedIn)
        browser.cookies = ["hearth-session-8080": String(secret.dropLast())]
        #expect(try !browser.isSignedIn)
        browser.cookies = ["hearth-session-8080": secret, "x-hearth-session-8080": "y"]
        #expect(try browser.isSignedIn)
    }

    @Test("A session ends without use, and at its end whatever the use")
    func ends() throws {
        let fixture = try ConsoleFixture {
            $0.console.sessionHours = 2; $0.console.idleMinutes = 30
        }
        let (idle, busy) = (try fixture.browser(), try fixture.browser())
        for _ in 0..<5 {
            fixture.service.time.advance(seconds: 20 * 60)
            #expect(try busy.isSignedIn)
            try fixture.waitForUse(of: busy)
        }
        #expect(try !idle.isSignedIn)
        fixture.service.time.advance(seconds: 20 * 60 - 1)
        #expect(try busy.isSignedIn)
        fixture.service.time.advance(seconds: 1)
        #expect(try !busy.isSignedIn)
        let answer = try busy.post("account/sessions/x/revoke", token: "x")
        answer.expectPage("Your session has ended", status: 401)
        #expect(answer.text.contains("Nothing was changed."))
    }

    @Test("With the shortest idle time, a session in use stays")
    func shortIdle() throws {
        let fixture = try ConsoleFixture { $0.console.idleMinutes = 1 }
        let browser = try fixture.browser()
        for _ in 0..<6 {
            fixture.service.time.advance(seconds: 20)
            #expect(try browser.isSignedIn)
            try fixture.waitForUse(of: browser)
        }
        fixture.service.time.advance(seconds: 61)
        #expect(try !browser.isSignedIn)
    }

    @Test("Signing out ends the session, not only the cookie")
    func signOut() throws {
        let browser = try fixture.browser()
        let before = browser.cookies
        let answer = try browser.post("sign-out")
        #expect(answer.status == 303 && answer.headers["Location"] == "/console/sign-in")
        #expect(answer.headers["Set-Cookie"]?.contains("Max-Age=0") == true && browser.cookies.isEmpty)
        browser.cookies = before
        #expect(try !browser.isSignedIn)
        #expect(try fixture.service.auditLines().last?.contains("console.signOut consoleSessions/") == true)
    }

    @Test("Signing out needs the session's token, so no other site can do it")
    func forgedSignOut() throws {
        let browser = try fixture.browser()
        #expect(try browser.postRaw("sign-out", []).status == 403)
        #expect(try browser.isSignedIn)
    }

    @Test("A session holds at every server of the database, and ends at all of them")
    func manyServers() throws {
        let browser = try fixture.browser()
        let other = Browser(fixture)
        other.console = fixture.secondConsole()
        other.cookies = browser.cookies
        #expect(try other.isSignedIn)
        let id = try #require(browser.session?.prefix(16))
        let admin = try fixture.browser()
        #expect(try admin.post("account/sessions/\(id)/revoke").status == 303)
        #expect(try !browser.isSignedIn && !other.isSignedIn)
    }

    @Test("A person sees and ends the own sessions; an owner those of the project; nobody others")
    func listed() throws {
        let viewer = try fixture.browser(.viewer)
        let owner = try fixture.browser(.owner)
        let stranger = try fixture.browser(.owner, in: "project-b")
        let id = try #require(viewer.session?.prefix(16))
        #expect(try owner.get("account").text.contains("account/sessions/\(id)/revoke"))
        #expect(try !stranger.get("account").text.contains("\(id)"))
        #expect(try stranger.post("account/sessions/\(id)/revoke").status == 404)
        let ownerID = try #require(owner.session?.prefix(16))
        #expect(try viewer.post("account/sessions/\(ownerID)/revoke").status == 404)
        #expect(try owner.isSignedIn && viewer.isSignedIn)
        #expect(try owner.post("account/sessions/\(id)/revoke").status == 303)
        #expect(try !viewer.isSignedIn)
    }

    @Test("A changed role holds from the next page on")
    func role() throws {
        let key = try fixture.service.addAccount("tool", .owner)
        let browser = try fixture.browser(token: fixture.service.accessToken(key))
        #expect(try browser.get("projects/project-a/keys").status == 200)
        #expect(
            try fixture.service.hearthAdmin(.patch, "serviceAccounts/\(key.email)", #"{"role":"viewer"}"#).status == 200
        )
        #expect(try browser.get("projects/project-a/keys").status == 403)
        #expect(try browser.get("account").text.contains("(viewer)"))
    }

    @Test("A session makes no codes: it would outlive its end")
    func noNewSessions() throws {
        let browser = try fixture.browser()
        let answer = try browser.send(
            .post, "/console/api/hearth/v1/signInCodes",
            headers: ["Origin": "http://127.0.0.1:8080", "X-Hearth-Form-Token": browser.formToken()])
        answer.expectRefusal(403, "PERMISSION_DENIED")
    }

    @Test("At most 50 sessions of one key: the oldest ends")
    func manySessions() throws {
        let first = try fixture.browser()
        fixture.service.time.advance(seconds: 1)
        let second = try fixture.browser()
        for _ in 0..<49 {
            // Attempts are limited per address.
            fixture.service.time.advance(seconds: 7)
            _ = try fixture.browser()
        }
        #expect(try !first.isSignedIn && second.isSignedIn)
    }
}

extension ConsoleFixture {
    /// The use is noted by another thread.
    func waitForUse(of browser: Browser) throws {
        let id = String(browser.session?.prefix(16) ?? "")
        // Its changes run one after another, so one that was asked for later comes after it.
        _ = try code()
        let session = try service.services.metadata.read { try $0.consoleSession(id: id) }
        #expect(session?.usedMicroseconds == service.time.now.microseconds)
    }
}
