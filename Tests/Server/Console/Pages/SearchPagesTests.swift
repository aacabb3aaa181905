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

@Suite("The page of the search") struct SearchPagesTests {
    private let fixture: ConsoleFixture
    private let browser: Browser
    private let id: String

    init() throws {
        fixture = try ConsoleFixture()
        browser = try fixture.browser(.viewer)
        id = try fixture.service.makeModel("flowers", FakeProbe.ok("1"), isPublished: true, tags: ["vision"])
        #expect(
            try fixture.service.hearthAdmin(.put, "models/\(id)/aliases/champion", #"{"version":1}"#).status == 200)
    }

    private func search(_ text: String) throws -> TestResponse {
        try browser.get("projects/project-a/search?q=\(URLText.encode(text))")
    }

    @Test("A model is found by its name, tag, number, name in logs, and by an alias, which leads to the version")
    func models() throws {
        for text in ["flow", "VISION", id, "models/\(id)", "projects/project-a/models/\(id)"] {
            let page = try search(text)
            page.expectPage("Search for &#39;\(text)&#39;")
            #expect(page.addresses.contains("/console/projects/project-a/models/\(id)"), "\(text)")
            #expect(!page.text.contains("Nothing was found"), "\(text)")
        }
        let page = try search("champ")
        #expect(page.text.contains("champion: version 1"))
        #expect(page.addresses.contains("/console/projects/project-a/models/\(id)/versions/1"))
        #expect(try search("models/").text.contains("Nothing was found"), "all models begin like that")
    }

    @Test("Where nothing is found, the page says what is searched and how")
    func nothing() throws {
        let page = try search("abc")
        page.expectPage("Search for &#39;abc&#39;")
        #expect(page.text.contains("Nothing was found for &#39;abc&#39;."))
        #expect(page.text.contains("type=\"search\" value=\"abc\""), "to be corrected")
        #expect(page.text.contains("an installation, by its whole id"))
        #expect(page.text.contains("&#39;abc&#39; is not an id of an installation: it has 3 characters"))
        let whole = try search(TestService.fids(1)[0])
        #expect(whole.text.contains("no such installation is registered here"))
        try search("<script>\"'").expectPage("Search for &#39;&lt;script&gt;&quot;&#39;&#39;")
    }

    @Test("An installation that is registered leads to what it gets")
    func installation() throws {
        let fid = TestService.fids(1)[0]
        try fixture.service.services.metadata.write { store in
            try store.insert(Installation(projectID: "project-a", fid: fid, appID: "a", createdMicroseconds: 0))
        }
        let page = try search(fid)
        let address = "/console/projects/project-a/models/\(id)/devices?installation=\(fid)#one"
        #expect(page.addresses.contains(address), "\(page.text)")
        let explained = try browser.get(String(address.dropFirst("/console/".count).prefix { $0 != "#" }))
        #expect(explained.status == 200 && explained.text.contains("gets version 1 of &#39;flowers&#39;"))
    }
}
