import HearthCatalog
import HearthHTTP
import HearthManagement
import HearthWire
import Testing

@testable import HearthConsole
@testable import HearthManagementTestSupport

/// The session ends while somebody fills in a form.
@Suite("Forms of a session that has ended") struct EndedSessionTests {
    private static let path = "projects/project-a/config/new-parameter"
    private static let text = "first \"line\" <b>\nsecond & last"
    private static let typed = [
        ("base", "0"), ("key", "greeting"), ("description", ""), ("type", "STRING"), ("default-kind", "text"),
        ("default", text),
    ]

    private let fixture: ConsoleFixture

    init() throws { fixture = try ConsoleFixture() }

    /// The values that a page would send again, by the names of their fields.
    private func hidden(_ page: TestResponse) -> [String: String] {
        var fields: [String: String] = [:]
        for part in page.text.split(separator: "<input type=\"hidden\" name=\"").dropFirst() {
            let name = String(part.prefix { $0 != "\"" })
            guard let start = part.firstRange(of: "value=\"") else { continue }
            fields[name] = String(part[start.upperBound...].prefix { $0 != "\"" })
                .replacing("&quot;", with: "\"").replacing("&lt;", with: "<").replacing("&gt;", with: ">")
                .replacing("&amp;", with: "&")
        }
        return fields
    }

    /// A browser whose session has ended by `end`, and the token of its form.
    private func ended(_ end: (Browser, String) throws -> Void) throws -> (browser: Browser, token: String) {
        let admin = try fixture.service.adminToken(.publisher)
        let browser = try fixture.browser(token: admin)
        let token = try browser.formToken()
        try end(browser, String(admin.split(separator: "_")[1]))
        return (browser, token)
    }

    private func expectKept(_ browser: Browser, _ token: String, _ sourceLocation: SourceLocation = #_sourceLocation)
        throws
    {
        let refused = try browser.post(Self.path, Self.typed, token: token)
        refused.expectPage("Your session has ended", status: 401, sourceLocation: sourceLocation)
        #expect(
            refused.text.contains("first &quot;line&quot; &lt;b&gt;\nsecond &amp; last"), sourceLocation: sourceLocation
        )
        #expect(refused.text.contains("href=\"/console/sign-in\" target=\"_blank\""), sourceLocation: sourceLocation)
        let fields = hidden(refused)
        #expect(fields == Dictionary(uniqueKeysWithValues: Self.typed), sourceLocation: sourceLocation)
        #expect(!refused.text.contains(token), "the old token is of no use", sourceLocation: sourceLocation)
        // Sent again before the sign-in, nothing is lost either.
        let early = try browser.postRaw(Self.path, fields.map { ($0.key, $0.value) })
        #expect(early.status == 401 && hidden(early) == fields, sourceLocation: sourceLocation)
        // Signed in, the form itself shows what was typed, and has done nothing.
        let again = try fixture.browser(.publisher)
        let shown = try again.postRaw(Self.path, fields.map { ($0.key, $0.value) })
        shown.expectPage("New parameter", status: 403, sourceLocation: sourceLocation)
        #expect(shown.text.contains("value=\"greeting\""), sourceLocation: sourceLocation)
        #expect(
            shown.text.contains("\nfirst &quot;line&quot; &lt;b&gt;\nsecond &amp; last</textarea>"),
            sourceLocation: sourceLocation)
        #expect(try !again.get("projects/project-a/config/changes").text.contains("greeting"))
        // Only the person sends it.
        #expect(try again.post(Self.path, fields.map { ($0.key, $0.value) }).status == 303)
        #expect(try again.get("projects/project-a/config/changes").text.contains("greeting"))
    }

    @Test("After the idle time, what was typed comes back")
    func idle() throws {
        let (browser, token) = try ended { _, _ in fixture.service.time.advance(seconds: 12 * 3600) }
        _ = try fixture.code()
        try expectKept(browser, token)
    }

    @Test("After its token was revoked, too")
    func revoked() throws {
        let (browser, token) = try ended { _, id in
            try #require(try fixture.service.hearthAdmin(.delete, "adminTokens/\(id)").status == 200)
        }
        try expectKept(browser, token)
    }

    @Test("After somebody ended it, a form of the usual size, too")
    func endedByHand() throws {
        let (browser, token) = try ended { browser, _ in
            let id = try #require(browser.session?.prefix(16))
            try #require(try fixture.browser().post("account/sessions/\(id)/revoke").status == 303)
        }
        try expectKept(browser, token)
    }

    @Test("A whole template that was edited as JSON comes back for a day")
    func largeForm() throws {
        let (browser, token) = try ended { _, _ in fixture.service.time.advance(seconds: 36 * 3600 - 1) }
        _ = try fixture.code()
        let template = "{\"text\": \"" + String(repeating: "é", count: 100_000) + "\"}"
        let refused = try browser.post("projects/project-a/config/json", [("template", template)], token: token)
        #expect(refused.status == 401 && hidden(refused)["template"] == template)
        fixture.service.time.advance(seconds: 1)
        _ = try fixture.code()
        let late = try browser.post("projects/project-a/config/json", [("template", template)], token: token)
        #expect(late.status == 401 && late.text.contains("Sign in again, then repeat what you did."))
    }

    @Test("A form on another page is sent again only by the person")
    func action() throws {
        let model = try fixture.service.makeModel("flowers", FakeProbe.ok())
        let page = "projects/project-a/models/\(model)/versions/1"
        let browser = try fixture.browser(.publisher)
        let shown = try browser.postRaw(
            page + "/aliases", [("alias", "champion"), ("form-token", "of another session")])
        shown.expectPage("Send the form again?", status: 403)
        #expect(shown.text.contains("action=\"/console/\(page)/aliases\"") && hidden(shown)["alias"] == "champion")
        #expect(try !browser.get(page).text.contains("champion<"))
        let token = try #require(hidden(shown)["form-token"])
        #expect(try browser.post(page + "/aliases", [("alias", "champion")], token: token).status == 303)
        #expect(try browser.get(page).text.contains("champion<"))
    }

    @Test("What a form on another page was refused with comes back too")
    func refusedAction() throws {
        let model = try fixture.service.makeModel("flowers", FakeProbe.ok())
        let refused = try fixture.browser(.publisher).post(
            "projects/project-a/models/\(model)/versions/1/aliases", [("alias", "the best of <May>")])
        #expect(refused.status == 400 && refused.text.contains("<pre class=\"sent\">\nthe best of &lt;May&gt;</pre>"))
    }

    @Test("Whoever may not send the form in the new session still gets back what was typed")
    func lowerRole() throws {
        let refused = try fixture.browser(.viewer).postRaw(Self.path, Self.typed)
        refused.expectPage("Not allowed", status: 403)
        #expect(refused.text.contains("second &amp; last"))
    }

    @Test("A proof of a sign-in that goes astray is not shown")
    func secret() throws {
        let browser = Browser(fixture)
        let code = try fixture.code()
        let refused = try browser.postRaw(Self.path, [("proof", code), ("key", "greeting")])
        #expect(refused.status == 401 && refused.text.contains("greeting") && !refused.text.contains(code))
        // A secret that the server showed a moment ago goes with the form, and stands nowhere.
        let token = [("kind", "token"), ("text", "hearth_0123_secret"), ("name", "ci")]
        for (path, fields) in [
            ("secret-file", token), ("projects/project-a/keys/plist", [("key", "hearth_0123_secret")]),
        ] {
            let kept = try browser.postRaw(path, fields)
            #expect(kept.status == 401 && hidden(kept) == Dictionary(uniqueKeysWithValues: fields))
            #expect(!kept.text.contains("<pre"))
        }
    }
}
