import HearthCatalog
import HearthHTTP
import HearthManagement
import Testing

@testable import HearthConsole
@testable import HearthManagementTestSupport

@Suite("Two versions compared") struct ComparePagesTests {
    @Test("Operators that only one version uses and metadata that differ are named")
    func names() throws {
        let fixture = try ConsoleFixture()
        let id = try fixture.service.makeModel("flowers", FakeProbe.ok("1"), isPublished: true)
        try fixture.service.makeVersion(id, FakeProbe.otherOperators("2"))
        try fixture.service.makeVersion(id, FakeProbe.otherContract("3"))
        let browser = try fixture.browser(.viewer)
        let path = "projects/project-a/models/\(id)/compare"
        let page = try browser.get(path + "?left=1&right=2")
        page.expectPage("Compare versions of flowers")
        #expect(page.text.contains("Only version 2 uses: <code>CONV_2D</code>, <code>MEAN</code>."))
        #expect(!page.text.contains("Only version 1 uses") && page.text.contains("The contracts are equal."))
        #expect(
            page.text.contains(
                "author</th><td><span class=\"removed\">none</span></td><td><span class=\"added\">Ada</span>"))
        let contract = try browser.get(path + "?left=1&right=3")
        #expect(contract.text.contains("type of input 0</th>") && !contract.text.contains("<h2>Operators</h2>"))
    }
}
