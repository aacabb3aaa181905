import HearthCatalog
import HearthHTTP
import Testing

@testable import HearthConsole
@testable import HearthManagementTestSupport

@Suite("A model whose first file is none") struct ModelWithoutFileTests {
    @Test("The model's page says what to do: a sound file as the next version, or the end of the model")
    func way() throws {
        let fixture = try ConsoleFixture()
        let id = try fixture.service.makeModel("photo", FakeProbe.malformed("a photo"))
        fixture.service.waitForCheck(FakeProbe.malformed("a photo"))
        let path = "projects/project-a/models/\(id)"
        let browser = try fixture.browser(.publisher)
        let page = try browser.get(path)
        page.expectPage("photo")
        #expect(page.text.contains("\(path)/upload\" class=\"button primary\">Upload a sound file as version 2</a>"))
        #expect(page.text.contains("\(path)/delete\" class=\"button danger\">Delete the model</a>"))
        #expect(try !fixture.browser(.viewer).get(path).text.contains("Delete the model"))

        _ = try fixture.service.makeVersion(id, FakeProbe.ok("sound"))
        fixture.service.waitForCheck(FakeProbe.ok("sound"))
        #expect(try !browser.get(path).text.contains("Delete the model"))
    }
}
