import Foundation
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

@Suite("Pages of keys and tokens") struct KeyPagesTests {
    private static let root = "projects/project-a/keys"
    private let fixture: ConsoleFixture
    private let browser: Browser

    init() throws {
        fixture = try ConsoleFixture()
        browser = try fixture.browser()
    }

    private var service: TestService { fixture.service }

    /// The value of a hidden field, as a browser sends it back.
    private func hidden(_ name: String, _ page: TestResponse) throws -> String {
        let value = try #require(page.text(between: "name=\"\(name)\" value=\"", "\""))
        return value.replacing("&quot;", with: "\"").replacing("&#39;", with: "'").replacing("&lt;", with: "<")
            .replacing("&gt;", with: ">").replacing("&amp;", with: "&")
    }

    @Test("The list has all kinds, and no secret")
    func list() throws {
        let page = try browser.get(Self.root)
        page.expectPage("Keys and tokens")
        for text in [
            service.a.apiKeyRecord.appID, "API keys of apps", "Service accounts", "Admin tokens", "hearth keys list",
        ] {
            #expect(page.text.contains(text), "\(text)")
        }
        #expect(!page.text.contains(service.a.apiKey))
        let viewer = try fixture.browser(.publisher).get(Self.root)
        viewer.expectPage("Not allowed", status: 403)
        #expect(!viewer.text.contains(service.a.apiKeyRecord.id))
    }

    // MARK: Service accounts

    @Test("An account is made; its key is shown once, can be saved without a script, and works")
    func account() throws {
        try browser.get(Self.root + "/accounts/new").expectPage("Create a service account")
        let page = try browser.post(Self.root + "/accounts/new", [("name", "ci"), ("role", "publisher")])
        page.expectPage("New key of ci")
        #expect(page.text.contains("data-copy=") && page.text.contains("Save as ci.json"))
        let text = try hidden("text", page)
        let key = try WireJSON.decode(ServiceAccountKey.self, from: Array(text.utf8))
        #expect(key.clientEmail == ServiceAccountName.email("ci", project: "project-a"))
        let file = try browser.post(
            "secret-file", [("kind", "account"), ("text", text), ("name", try hidden("name", page))])
        #expect(file.status == 200 && file.text == text)
        #expect(file.headers["Content-Disposition"] == "attachment; filename=\"ci.json\"")
        #expect(file.headers["Cache-Control"] == "no-store" && file.headers["Content-Type"] == "application/json")
        let token = try service.call(
            .post, "/token",
            headers: [
                "Content-Type": "application/x-www-form-urlencoded",
                "Authorization": "Basic \(Data("\(key.clientID):\(key.clientSecret)".utf8).base64EncodedString())",
            ], body: Array("grant_type=client_credentials".utf8))
        #expect(token.status == 200, "\(token.text)")
        let again = try browser.get(Self.root + "/accounts/\(URLText.encode(key.clientEmail))")
        #expect(again.status == 200 && !again.text.contains(key.clientSecret) && !again.text.contains("PRIVATE KEY"))
    }

    @Test("A refused account says why, and the form keeps what was filled in")
    func refusedAccount() throws {
        let page = try browser.post(Self.root + "/accounts/new", [("name", "Not \"Valid\""), ("role", "viewer")])
        page.expectPage("Create a service account", status: 400)
        #expect(page.text.contains("An account&#39;s name must have 1 to 30 lower-case letters"))
        #expect(page.text.contains("value=\"Not &quot;Valid&quot;\""))
        #expect(page.text.contains("<option value=\"viewer\" selected>"))
        #expect(try service.services.metadata.read { try $0.serviceAccounts().count } == 2)
    }

    @Test("Only an operator is offered to make operators, and only an operator can")
    func operators() throws {
        let path = Self.root + "/accounts/new"
        #expect(try !browser.get(path).text.contains("name=\"operator\""))
        let refused = try browser.post(path, [("name", "root"), ("role", "viewer"), ("operator", "yes")])
        #expect(refused.status == 403 && refused.text.contains("Only operators of the server may make operators"))
        let root = try fixture.browser(.owner, in: nil)
        #expect(try root.get(path).text.contains("name=\"operator\""))
        #expect(try root.post(path, [("name", "root"), ("role", "viewer"), ("operator", "yes")]).status == 200)
        let made = try service.services.metadata.read { try $0.serviceAccounts().first { $0.email.hasPrefix("root@") } }
        #expect(made?.isOperator == true)
    }

    @Test("The role of an account is changed, and the last owner's is not")
    func role() throws {
        let key = try service.addAccount("tool", .publisher)
        let path = Self.root + "/accounts/\(URLText.encode(key.email))"
        let page = try browser.get(path)
        page.expectPage("tool")
        #expect(page.text.contains("<option value=\"publisher\" selected>"))
        #expect(page.text.contains("hearth keys account role tool publisher"))
        let answer = try browser.post(path, [("role", "viewer")])
        #expect(answer.status == 303 && answer.headers["Location"] == "/console/\(path)?done=saved")
        #expect(try browser.get(path + "?done=saved").text.contains("Saved."))
        #expect(try service.services.metadata.read { try $0.serviceAccount(email: key.email)?.role } == .viewer)
        let own = Self.root + "/accounts/\(URLText.encode(service.a.account.email))"
        let refused = try browser.post(own, [("role", "viewer")])
        #expect(refused.status == 400 && refused.text.contains("Not done."), "\(refused.status)")
    }

    @Test("A key is added and revoked; the page before says what stops")
    func keys() throws {
        let key = try service.addAccount("tool", .publisher)
        let account = Self.root + "/accounts/\(URLText.encode(key.email))"
        try browser.post(account + "/keys").expectPage("New key of tool")
        let keys = try service.services.metadata.read { try $0.accountKeys().filter { $0.email == key.email } }
        #expect(keys.count == 2)
        let tool = try fixture.browser(token: service.accessToken(key))
        let path = "\(account)/keys/\(key.id)/revoke"
        let page = try browser.get(path)
        page.expectPage("Revoke the key \(key.id)")
        #expect(page.text.contains("Tools that use this key of tool are refused, immediately."))
        #expect(page.text.contains("signed in to the console with one browser"))
        #expect(page.text.contains("hearth keys account revoke tool --key \(key.id)"))
        #expect(!page.text.contains("You are signed in with this key"))
        let answer = try browser.post(path)
        #expect(answer.status == 303 && answer.headers["Location"] == "/console/\(Self.root)?done=revoked")
        #expect(try !tool.isSignedIn)
        #expect(try browser.get(path).status == 404)
        #expect(try browser.get(account).text.contains("ended"))
    }

    @Test("An account is revoked with the tokens that it made, if one wants that", arguments: [true, false])
    func accountRevocation(withTokens: Bool) throws {
        let key = try service.addAccount("tool", .owner)
        let made = try service.hearth(
            .post, "projects/project-a/adminTokens", #"{"name":"deploy <now>","role":"viewer"}"#,
            token: service.accessToken(key))
        let token = try #require(made.string("token"))
        let path = Self.root + "/accounts/\(URLText.encode(key.email))/revoke"
        let page = try browser.get(path)
        page.expectPage("Revoke tool")
        #expect(page.text.contains("deploy &lt;now&gt; (viewer)"))
        #expect(page.text.contains("Tools that use the key of tool are refused, immediately."))
        #expect(try browser.post(path, withTokens ? [("tokens", "yes")] : []).status == 303)
        #expect(try service.hearth(.get, "caller", token: token).status == (withTokens ? 401 : 200))
        #expect(try service.hearth(.get, "caller", token: service.accessToken(key)).status == 401)
    }

    @Test("Whoever revokes the key that they are signed in with is told before, and signed out")
    func ownKey() throws {
        let key = try service.addAccount("second", .owner)
        let own = try fixture.browser(token: service.accessToken(key))
        let path = Self.root + "/accounts/\(URLText.encode(key.email))/keys/\(key.id)/revoke"
        #expect(try own.get(path).text.contains("You are signed in with this key: you will be signed out."))
        #expect(try own.post(path).status == 303)
        #expect(try own.get(Self.root).headers["Location"]?.hasPrefix("/console/sign-in") == true)
    }

    // MARK: API keys

    @Test("An API key is made for bundle ids, and its plist is saved")
    func apiKey() throws {
        try browser.get(Self.root + "/apps/new").expectPage("Create an API key")
        let page = try browser.post(
            Self.root + "/apps/new",
            [("name", "Flowers"), ("platform", "ios"), ("app", ""), ("bundle-ids", "com.example.flowers\r\n")])
        page.expectPage("New API key")
        let secret = try hidden("key", page)
        let file = try browser.post(Self.root + "/plist", [("key", secret)])
        #expect(file.headers["Content-Disposition"] == "attachment; filename=\"GoogleService-Info.plist\"")
        #expect(file.headers["Cache-Control"] == "no-store")
        let list = try #require(
            try PropertyListSerialization.propertyList(from: Data(file.body), format: nil) as? [String: Any])
        #expect(list["API_KEY"] as? String == secret && list["BUNDLE_ID"] as? String == "com.example.flowers")
        #expect(
            list["PROJECT_ID"] as? String == "project-a"
                && list["HEARTH_SERVER_URL"] as? String == "http://127.0.0.1:8080")
        let key = try #require(try service.services.metadata.read { try $0.apiKeys().first { $0.name == "Flowers" } })
        #expect(key.bundleIDs == ["com.example.flowers"])
        #expect(try !browser.get(Self.root + "/apps/\(key.id)").text.contains(secret))
    }

    @Test("The plist has the server's public address, also when people have an address of their own")
    func address() throws {
        let fixture = try ConsoleFixture(publicURL: "https://models.example") { services in
            services.adminURL = "http://127.0.0.1:8080"
            services.localAdminURL = { "http://127.0.0.1:8080" }
        }
        // With an address of its own, the console's address is that one.
        let browser = Browser(fixture)
        browser.origin = "http://127.0.0.1:8080"
        #expect(try browser.signIn(fixture.code()).status == 303)
        let file = try browser.post(Self.root + "/plist", [("key", fixture.service.a.apiKey)])
        #expect(file.text.contains("<string>https://models.example</string>"), "\(file.text)")
    }

    @Test("A key that is not of this project makes no plist, and the page does not repeat it")
    func otherKey() throws {
        let page = try browser.post(Self.root + "/plist", [("key", service.b.apiKey)])
        page.expectPage("Write a plist again", status: 404)
        #expect(page.text.contains("This project has no such API key.") && !page.text.contains(service.b.apiKey))
        let id = service.a.apiKeyRecord.id
        _ = try service.hearthAdmin(.patch, "apiKeys/\(id)", #"{"bundleIds":["com.example.a","com.example.b"]}"#)
        let choice = try browser.post(
            Self.root + "/plist", [("key", service.a.apiKey), ("bundle-id", "com.example.c")])
        #expect(choice.status == 400 && choice.text.contains("give one of these bundle ids"))
        #expect(!choice.text.contains(service.a.apiKey))
        #expect(
            try browser.post(Self.root + "/plist", [("key", service.a.apiKey), ("bundle-id", "com.example.b")]).status
                == 200)
    }

    @Test("An API key is restricted and renamed; a refused change keeps the text")
    func restriction() throws {
        let path = Self.root + "/apps/\(service.a.apiKeyRecord.id)"
        #expect(
            try browser.post(path, [("name", "<b>App</b>"), ("bundle-ids", "com.example.a, com.example.b")]).status
                == 303)
        let page = try browser.get(path)
        page.expectPage("&lt;b&gt;App&lt;/b&gt;")
        #expect(page.text.contains("com.example.a\ncom.example.b"))
        #expect(page.text.contains("--bundle-id com.example.a --bundle-id com.example.b"))
        let refused = try browser.post(path, [("name", "x"), ("bundle-ids", "not/valid")])
        #expect(refused.status == 400 && refused.text.contains("not/valid") && refused.text.contains("Not done."))
        #expect(try browser.post(path, [("name", "x"), ("bundle-ids", "")]).status == 303)
        #expect(try service.services.metadata.read { try $0.apiKeys().first { $0.name == "x" }?.bundleIDs } == [])
    }

    @Test("An API key is rotated with a time of grace")
    func rotation() throws {
        let id = service.a.apiKeyRecord.id
        let path = Self.root + "/apps/\(id)/rotate"
        #expect(try browser.get(path).text.contains("When the grace time is over, apps that were"))
        for days in ["x", "-1", "1e300"] { #expect(try browser.post(path, [("days", days)]).status == 400) }
        try browser.post(path, [("days", "2")]).expectPage("New API key")
        let keys = try service.services.metadata.read { try $0.apiKeys().filter { $0.projectID == "project-a" } }
        #expect(keys.count == 2)
        let ends = keys.first { $0.id == id }?.endsMicroseconds
        #expect(ends == service.time.now.adding(seconds: 2 * 86_400).microseconds)
    }

    @Test("An API key is revoked after a page that says what stops")
    func apiKeyRevocation() throws {
        let path = Self.root + "/apps/\(service.a.apiKeyRecord.id)/revoke"
        let page = try browser.get(path)
        #expect(
            page.text.contains("Apps that were built with this key stop getting models and Remote Config, immediately.")
        )
        #expect(page.text.contains("hearth keys api revoke \(service.a.apiKeyRecord.id)"))
        #expect(try browser.post(path).status == 303)
        #expect(try service.info("flowers").status == 403)
    }

    // MARK: Tokens

    @Test("A token is made, shown once, saved, and revoked")
    func token() throws {
        let form = try browser.get(Self.root + "/tokens/new")
        form.expectPage("Create an admin token")
        #expect(form.text.contains("<option value=\"90\" selected>"))
        let page = try browser.post(
            Self.root + "/tokens/new", [("name", "dep\"loy/../x"), ("role", "viewer"), ("days", "7")])
        page.expectPage("New token dep&quot;loy/../x")
        let text = try hidden("text", page)
        let file = try browser.post(
            "secret-file", [("kind", "token"), ("text", text), ("name", try hidden("name", page))])
        #expect(file.text == text + "\n")
        #expect(file.headers["Content-Disposition"] == "attachment; filename=\"deployx.token\"")
        #expect(try service.hearth(.get, "caller", token: text).string("role") == "viewer")
        let record = try #require(try service.services.metadata.read { try $0.adminTokens() }.first)
        #expect(record.endsMicroseconds == service.time.now.adding(seconds: 7 * 86_400).microseconds)
        let script = Browser(fixture)
        #expect(try script.signIn(text).status == 303)
        let path = Self.root + "/tokens/\(record.id)/revoke"
        let question = try browser.get(path)
        #expect(question.text.contains("Scripts that use this token (viewer) are refused, immediately."))
        #expect(question.text.contains("One browser is signed in to the console with it; these sessions end."))
        #expect(try browser.post(path).status == 303)
        #expect(try service.hearth(.get, "caller", token: text).status == 401)
        #expect(try !script.isSignedIn)
        #expect(try !browser.get(Self.root).text.contains(text))
    }

    @Test("A token without an end, and one that cannot be made")
    func tokenLifetimes() throws {
        let path = Self.root + "/tokens/new"
        #expect(try browser.post(path, [("name", "x"), ("role", "viewer"), ("days", "")]).status == 200)
        #expect(try service.services.metadata.read { try $0.adminTokens() }.first?.endsMicroseconds == nil)
        for fields in [
            [("name", ""), ("role", "viewer"), ("days", "1")], [("name", "x"), ("role", "king"), ("days", "1")],
            [("name", "x"), ("role", "viewer"), ("days", "0")],
            [("name", "x"), ("role", "viewer"), ("days", "9999999999999999")],
        ] {
            let page = try browser.post(path, fields)
            #expect(page.status == 400 && page.text.contains("Not done."), "\(fields)")
        }
        #expect(try service.services.metadata.read { try $0.adminTokens().count } == 1)
    }

    @Test("Operators make and revoke tokens of the whole server")
    func serverTokens() throws {
        let root = try fixture.browser(.owner, in: nil)
        #expect(try browser.get("server/tokens").status == 403)
        let page = try root.post("server/tokens/new", [("name", "all"), ("role", "viewer"), ("days", "30")])
        page.expectPage("New token all")
        let text = try hidden("text", page)
        #expect(try service.hearth(.get, "projects", token: text).text.contains("project-b"))
        let list = try root.get("server/tokens")
        list.expectPage("Tokens of the whole server")
        let id = try #require(text.split(separator: "_").dropFirst().first)
        #expect(
            try root.post("server/tokens/\(id)/revoke").headers["Location"] == "/console/server/tokens?done=revoked")
        #expect(try service.hearth(.get, "projects", token: text).status == 401)
        #expect(try root.post("server/tokens/none/revoke").status == 404)
    }

    // MARK: The file

    @Test(
        "The answer with a file gives back keys and tokens only",
        arguments: [
            ("account", "<script>alert(1)</script>"), ("account", "{}"), ("token", "a b"), ("token", "a\r\nb"),
            ("other", "x"),
            ("", ""), ("token", String(repeating: "a", count: 201)),
        ])
    func noReflection(kind: String, text: String) throws {
        let answer = try browser.post("secret-file", [("kind", kind), ("text", text), ("name", "x")])
        #expect(answer.status == 400 && !answer.headers.contains("Content-Disposition"))
    }
}
