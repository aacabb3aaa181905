import HearthCatalog
import HearthHTTP
import HearthManagement
import Testing

@testable import HearthConsole
@testable import HearthManagementTestSupport

@Suite("Forms that a link from elsewhere opens") struct PrefilledFormTests {
    @Test(
        "A form that changes something takes nothing from the query but what the console's own links have",
        arguments: [
            ("projects/project-a/keys/tokens/new", "name"), ("projects/project-a/keys/accounts/new", "name"),
            ("projects/project-a/keys/apps/new", "bundle-ids"), ("projects/project-a/experiments/new", "note"),
            ("projects/project-a/models/{model}/releases/new", "countries"),
            ("projects/project-a/models/{model}/releases/new", "share"),
            ("projects/project-a/models/{model}/versions/1", "note"),
            ("projects/project-a/models/{model}/delete", "confirm"),
            ("projects/project-a/models/{model}/settings", "name"),
            ("projects/project-a/models/{model}/devices", "pin-tag"),
            ("projects/project-a/models/{model}/devices", "pin-installation"),
            ("projects/project-a/config/new-parameter", "key"), ("projects/project-a/config/new-parameter", "default"),
            ("projects/project-a/config/new-condition", "expression"), ("projects/project-a/config/json", "template"),
        ])
    func prefilled(path: String, field: String) throws {
        let fixture = try ConsoleFixture()
        let id = try fixture.service.makeModel("flowers", FakeProbe.ok("1"), isPublished: true)
        let address = path.replacing("{model}", with: id)
        let page = try fixture.browser().get("\(address)?\(field)=chosen-elsewhere")
        #expect(page.status == 200, "\(page.text)")
        #expect(page.text.contains("name=\"\(field)\""), "the form has the field")
        #expect(!page.text.contains("chosen-elsewhere"))
    }

    @Test("The console's own links still choose the version of a release")
    func version() throws {
        let fixture = try ConsoleFixture()
        let id = try fixture.service.makeModel("flowers", FakeProbe.ok("1"), isPublished: true)
        try fixture.service.makeVersion(id, FakeProbe.ok("2"))
        let page = try fixture.browser().get("projects/project-a/models/\(id)/releases/new?version=1")
        #expect(page.text.contains("<option value=\"1\" selected>"))
    }
}
