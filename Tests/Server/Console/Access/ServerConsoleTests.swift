import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthWire
import Testing

@testable import HearthConsole
@testable import HearthManagementTestSupport

/// A browser whose requests reach two servers in turn.
@Suite("The console of several servers", .enabled(if: TestServers.canRun, "TEST_POSTGRES is not set"))
struct ServerConsoleTests {
    private let fixture: ConsoleFixture
    private let second: Console

    init() throws {
        let servers = try TestServers()
        fixture = ConsoleFixture(over: servers.first)
        second = ConsoleFixture(over: servers.second).console
    }

    @Test("A draft that one server keeps is published by the other one")
    func drafts() throws {
        let driver = try ConfigDriver(fixture: fixture)
        try driver.change("/new-parameter", ConfigDriver.parameter("a", "1"))
        driver.browser.console = second
        try driver.change("/new-parameter", ConfigDriver.parameter("b", "2"))
        driver.browser.console = fixture.console
        #expect(try driver.publish().status == 303)
        #expect(try driver.active().parameters?.keys.sorted() == ["a", "b"])
        driver.browser.console = second
        #expect(try driver.page("/changes").text.contains("name=\"draft\"") == false, "the draft is gone everywhere")
    }

    @Test("A form that shows a secret is sent once, whichever server it reaches")
    func forms() throws {
        let browser = try fixture.browser()
        let path = "projects/project-a/keys/tokens/new"
        let page = try browser.get(path)
        let id = try #require(page.text(between: "name=\"form-id\" value=\"", "\""))
        let fields = [("name", "ci"), ("role", "viewer"), ("days", "1"), (SingleUseForms.field, id)]
        #expect(try browser.post(path, fields).status == 200)
        browser.console = second
        #expect(try browser.post(path, fields).status == 409)
    }

    @Test("The menu is that of the project that the browser saw last at any server")
    func menu() throws {
        let root = try fixture.browser(.owner, in: nil)
        #expect(try root.get("projects/project-b/models").status == 200)
        root.console = second
        #expect(try root.get("server").text.contains("<a href=\"/console/projects/project-b/models\""))
    }
}
