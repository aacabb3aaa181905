import HearthCatalog
import HearthHTTP
import HearthManagement
import HearthRouting
import HearthStorage
import Testing

@testable import HearthConsole
@testable import HearthManagementTestSupport

@Suite("The requirements of a model on its pages") struct GatePageTests {
    private let fixture: ConsoleFixture
    private let browser: Browser
    private let id: String
    private let path: String

    init() throws {
        fixture = try ConsoleFixture()
        browser = try fixture.browser(.publisher)
        id = try fixture.service.makeModel("flowers", FakeProbe.ok("1"), isPublished: true)
        path = "projects/project-a/models/\(id)/settings"
    }

    private func gate() throws -> String? {
        let number = try #require(Int64(id))
        return try fixture.service.services.metadata.read {
            try $0.model(id: number, project: "project-a")?.rehearsalGate
        }
    }

    private func form(_ gate: String, seen: String? = nil) -> [(String, String)] {
        [
            ("name", "flowers"), ("tags", ""), ("contract", "warn"), ("rehearsal", gate), ("rehearsal-check", "warn"),
        ] + (seen.map { [("seen-rehearsal", $0)] } ?? [])
    }

    @Test("New requirements are saved after the page has said how often they err")
    func saved() throws {
        let asked = try browser.post(path, form("agreement=98%"))
        asked.expectPage("Settings of flowers")
        #expect(asked.text.contains("Nothing is saved yet") && asked.text.contains("Equal version refused"))
        #expect(asked.text.contains("name=\"seen-rehearsal\""))
        #expect(try gate() == nil)
        // Other requirements than those of the table are asked about again.
        try browser.post(path, form("agreement=97%", seen: "agreement=98%")).expectPage("Settings of flowers")
        #expect(try gate() == nil)
        let saved = try browser.post(path, form("agreement=97%", seen: "agreement=97%"))
        #expect(saved.headers["Location"] == "/console/projects/project-a/models/\(id)?done=saved")
        #expect(try gate() == "agreement=97%")
        let page = try browser.get(path)
        #expect(page.text.contains("Equal version refused") && !page.text.contains("Nothing is saved yet"))
        // To require nothing, or to change something else, needs no second look.
        #expect(try browser.post(path, form("")).status == 303)
        #expect(try gate() == nil)
    }

    @Test("What is no requirement is refused with the reason, and shows no table")
    func refused() throws {
        let page = try browser.post(path, form("accuracy=1%"))
        page.expectPage("Settings of flowers", status: 400)
        #expect(page.text.contains("is not a requirement") && !page.text.contains("Nothing is saved yet"))
        #expect(!page.text.contains("Equal version refused"))
        // Nor the table of the requirements that the model has.
        _ = try browser.post(path, form("agreement=98%", seen: "agreement=98%"))
        #expect(try gate() == "agreement=98%")
        let stored = try browser.post(path, form("accuracy=1%"))
        stored.expectPage("Settings of flowers", status: 400)
        #expect(!stored.text.contains("Equal version refused"))
    }

    @Test(
        "A change that is refused for another reason shows the numbers of what was typed, and is not asked about again")
    func taken() throws {
        try fixture.service.makeModel("trees", FakeProbe.ok("2"))
        _ = try browser.post(path, form("agreement=98%", seen: "agreement=98%"))
        #expect(try gate() == "agreement=98%")
        var taken = form("agreement=97%", seen: "agreement=97%")
        taken[0].1 = "trees"
        let page = try browser.post(path, taken)
        #expect(page.status == 409 && page.text.contains("already exists"))
        #expect(page.text.contains("Equal version refused"), "\(page.text)")
        #expect(page.text.contains("agreement=97%") && !page.text.contains("agreement=98%"))
        #expect(page.text.contains("name=\"seen-rehearsal\"") && !page.text.contains("Nothing is saved yet"))
        #expect(try browser.post(path, form("agreement=97%", seen: "agreement=97%")).status == 303)
        #expect(try gate() == "agreement=97%")
    }
}
