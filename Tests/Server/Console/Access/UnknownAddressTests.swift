import HearthCatalog
import HearthHTTP
import HearthManagement
import Testing

@testable import HearthConsole
@testable import HearthManagementTestSupport

@Suite("Addresses that no page has") struct UnknownAddressTests {
    private let fixture: ConsoleFixture

    init() throws { fixture = try ConsoleFixture() }

    @Test(
        "An unknown address is a page with the menu and a way home", arguments: ["nothing", "projects/project-a/x/y/z"])
    func unknown(path: String) throws {
        let browser = try fixture.browser()
        let page = try browser.get(path)
        page.expectPage("Not found", status: 404)
        #expect(page.addresses.contains("/console/") && page.text.contains("To the start page"))
        #expect(page.text.contains("action=\"/console/sign-out\""), "the menu is there")
        #expect(page.text.contains("Pages of the project"))
        #expect(page.headers["Content-Security-Policy"] != nil)
    }

    @Test("Without a session, it is a page without a menu")
    func stranger() throws {
        let page = try Browser(fixture).get("nothing")
        page.expectPage("Not found", status: 404)
        #expect(!page.text.contains("sign-out"))
        let ended = Browser(fixture)
        ended.cookies = ["hearth-session-8080": "wrong"]
        try ended.get("nothing").expectPage("Not found", status: 404)
    }

    @Test("A page for a method that the address does not take says so, with the methods that it takes")
    func methods() throws {
        let browser = try fixture.browser()
        let page = try browser.get("sign-out")
        page.expectPage("Not possible here", status: 405)
        #expect(page.headers["Allow"] == "POST")
        let sent = try browser.post("projects/project-a/nothing/at/all", [("a", "b")])
        sent.expectPage("Not found", status: 404)
        let put = try browser.send(.put, "/console/account")
        put.expectPage("Not possible here", status: 405)
    }

    @Test("A name that no path can have is refused with a reason", arguments: [".", ".."])
    func dots(name: String) throws {
        let browser = try fixture.browser()
        let link = Site(prefix: "").link("projects", "project-a", "models", name, "devices").text
        #expect(link == "/console/projects/project-a/models/~\(name)/devices")
        let page = try browser.send(.get, link)
        page.expectPage("Not done", status: 400)
        #expect(page.text.contains("The path must not contain &#39;.&#39; or &#39;..&#39; segments."))
        #expect(fixture.log.lines.isEmpty)
    }

    @Test("Scripts and files get plain answers", arguments: ["api", "assets/nothing", "assets/a/b"])
    func scripts(path: String) throws {
        let answer = try fixture.browser().get(path)
        #expect(answer.status == 404 && !answer.text.contains("<html"))
    }
}
