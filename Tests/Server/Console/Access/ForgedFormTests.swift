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

@Suite("Forms from elsewhere") struct ForgedFormTests {
    private let fixture: ConsoleFixture
    private let browser: Browser
    private static let path = "projects/project-a/keys/tokens/new"
    private static let fields = [("name", "forged"), ("role", "owner"), ("days", "7")]

    init() throws {
        fixture = try ConsoleFixture()
        browser = try fixture.browser()
    }

    private func expectNothingMade(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let tokens = try fixture.service.services.metadata.read { try $0.adminTokens() }
        #expect(tokens.isEmpty, sourceLocation: sourceLocation)
    }

    @Test("The same form from a page of ours is taken")
    func good() throws {
        #expect(try browser.post(Self.path, Self.fields).status == 200)
        #expect(try fixture.service.services.metadata.read { try $0.adminTokens().map(\.name) } == ["forged"])
    }

    @Test(
        "A form with another origin, or none, is refused",
        arguments: [
            nil, "null", "", "https://evil.example", "http://evil.example:8080", "http://127.0.0.1",
            "http://127.0.0.1:8081",
            "http://127.0.0.1:8080.evil.example", "http://evil.example/127.0.0.1:8080", "file://",
            "http://127.0.0.1:8080@evil.example", "chrome-extension://x", "http://[::1]:8080", "http://localhost:8080",
        ])
    func origins(origin: String?) throws {
        let token = try browser.formToken()
        browser.origin = origin
        let answer = try browser.post(Self.path, Self.fields, token: token)
        #expect(answer.status == 403 && answer.text.contains("Nothing was changed."))
        try expectNothingMade()
        #expect(try browser.signIn(fixture.code()).status == 403, "nor a sign-in")
    }

    @Test(
        "A form without the token, or with a wrong one, is refused",
        arguments: ["", "x", "AAAA", String(repeating: "A", count: 86), String(repeating: "A", count: 500)])
    func tokens(token: String) throws {
        let answer = try browser.post(Self.path, Self.fields, token: token)
        #expect(answer.status == 403 && answer.text.contains("This form belongs to another session."))
        #expect(try browser.postRaw(Self.path, Self.fields).status == 403)
        try expectNothingMade()
    }

    @Test("A form with the token of another session is refused")
    func otherSession() throws {
        let other = try fixture.browser()
        #expect(try browser.post(Self.path, Self.fields, token: other.formToken()).status == 403)
        try expectNothingMade()
    }

    @Test("Each page shows the token in another form, so that the size of a compressed page reveals nothing")
    func masked() throws {
        let (first, second) = (try browser.formToken(), try browser.formToken())
        #expect(first != second)
        let secret = try #require(browser.session)
        #expect(FormToken.isValid(first, secret: secret) && FormToken.isValid(second, secret: secret))
        #expect(!FormToken.isValid(first, secret: secret + "x"))
    }

    @Test("Nobody who never had a session makes the server read more than a small form")
    func signedOut() throws {
        let token = try browser.formToken()
        let large = Self.fields + [("note", String(repeating: "a", count: 20_000))]
        for cookies in [[:], ["hearth-session-8080": "0123456789abcdef_" + String(repeating: "a", count: 43)]] {
            browser.cookies = cookies
            #expect(try browser.post(Self.path, Self.fields, token: token).status == 401)
            let answer = try browser.post(Self.path, large, token: token)
            #expect(answer.status == 401 && answer.bodyBytesRead == 0)
        }
        browser.origin = "https://evil.example"
        let foreign = try browser.post(Self.path, Self.fields, token: token)
        #expect(foreign.status == 403 && foreign.bodyBytesRead == 0)
        try expectNothingMade()
    }

    @Test("Behind a proxy that the server does not know, the refusal names the settings, and the log does once")
    func unknownProxy() throws {
        browser.origin = "https://hearth.example"
        for _ in 1...2 {
            let refused = try browser.signIn(fixture.code())
            refused.expectPage("Not a page of this console", status: 403)
            for text in ["https://hearth.example", "http://127.0.0.1:8080", "public-url", "trusted-proxies"] {
                #expect(refused.text.contains(text), "\(text)")
            }
        }
        browser.origin = "http://hearth.example:8080"
        _ = try browser.signIn(fixture.code())
        #expect(fixture.log.lines.count == 2, "one for each address")
        #expect(fixture.log.lines.allSatisfy { $0.contains("public-url") && $0.contains("hearth.example") })
        // What no browser sends from a page behind a proxy.
        browser.origin = "null"
        let other = try browser.signIn(fixture.code())
        #expect(other.status == 403 && !other.text.contains("public-url"))
        #expect(fixture.log.lines.count == 2)
    }

    @Test("An attacker fills neither the log nor the page")
    func inventedPages() throws {
        for number in 1...100 {
            browser.origin = "https://\(number).evil.example"
            _ = try browser.signIn("wrong")
        }
        #expect(fixture.log.lines.count == 16)
        browser.origin = "https://" + String(repeating: "a", count: 1000)
        #expect(try !browser.signIn("wrong").text.contains("aaaa"))
    }

    @Test("Content that is no form is refused", arguments: ["form-token=%", "%FF=x", "{\"name\":\"x\"}", "<x/>"])
    func content(body: String) throws {
        let answer = try browser.send(
            .post, "/console/\(Self.path)", headers: ["Origin": "http://127.0.0.1:8080"], body: Array(body.utf8))
        #expect([400, 403].contains(answer.status))
        try expectNothingMade()
    }

    @Test("A form that is too large is refused, announced or not", arguments: [true, false])
    func size(announces: Bool) throws {
        let body = [UInt8](repeating: UInt8(ascii: "a"), count: 4 << 20 | 1)
        let answer = try browser.send(
            .post, "/console/\(Self.path)", headers: ["Origin": "http://127.0.0.1:8080"], body: body,
            announces: announces)
        #expect(answer.status == 413)
        #expect(answer.headers["Content-Security-Policy"] == AnswerFields.policy)
        let signIn = try browser.send(
            .post, "/console/sign-in", headers: ["Origin": "http://127.0.0.1:8080"],
            body: Array(body.prefix(20_000)), announces: announces)
        #expect(signIn.status == 413, "anybody can send this one")
    }

    @Test("A page cannot be sent a body")
    func bodyOfGet() throws {
        let answer = try browser.send(.get, "/console/account", body: [1])
        #expect(answer.status == 413)
    }
}
