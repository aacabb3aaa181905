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

@Suite("The page of a model's images") struct ImagePagesTests {
    private let fixture: ConsoleFixture
    private let browser: Browser
    private let id: String
    private let path: String

    init() throws {
        fixture = try ConsoleFixture()
        browser = try fixture.browser(.publisher)
        id = try fixture.service.makeModel("flowers", FakeProbe.ok("1"), isPublished: true)
        path = "projects/project-a/models/\(id)/images"
    }

    /// As the page's script does.
    private func add(_ name: String, label: String = "", token: String? = nil) throws -> TestResponse {
        try browser.send(
            .put, "/console/api/hearth/v1/\(path)/\(URLText.encode(name))?label=\(URLText.encode(label))",
            headers: [
                "Origin": "http://127.0.0.1:8080", "X-Hearth-Form-Token": try token ?? browser.formToken(),
            ], body: [1, 2, 3])
    }

    private func names() throws -> [String] {
        try fixture.service.services.metadata.read { try $0.rehearsalImages(model: #require(Int64(id))) }.map(\.name)
    }

    @Test("The page tells the limits before, and the rehearsals lead to it")
    func empty() throws {
        let page = try browser.get(path)
        page.expectPage("Images of flowers")
        #expect(page.text.contains("at most 500 images, of at most 8 MiB each and 256 MiB in all"))
        #expect(page.text.contains("The model has no images yet."))
        #expect(page.text.contains("data-most-bytes=\"8388608\""))
        let rehearsals = try browser.get("projects/project-a/models/\(id)/rehearsals")
        #expect(rehearsals.addresses.contains("/console/\(path)"))
    }

    @Test("Images are added with their answers, listed, and removed")
    func images() throws {
        for (name, label) in [("daisy/1.jpg", "daisy"), ("<b>.png", "")] {
            #expect(try add(name, label: label).status == 200)
        }
        let page = try browser.get(path)
        page.expectPage("Images of flowers")
        #expect(page.text.contains("<h2>2 images</h2>") && page.text.contains("daisy/1.jpg"))
        #expect(page.text.contains("&lt;b&gt;.png") && !page.text.contains("<b>.png"))
        #expect(
            try browser.get("projects/project-a/models/\(id)/rehearsals").text.contains(
                "A rehearsal needs at least 20 images"))
        let none = try browser.post(path)
        none.expectPage("Images of flowers", status: 400)
        let problem = try #require(none.text(between: "<div class=\"problem\"", "</div>"))
        #expect(problem.contains(" autofocus") && problem.contains("No image is chosen."))
        let removed = try browser.post(path, [("remove", "<b>.png"), ("remove", "gone.png")])
        #expect(removed.headers["Location"] == "/console/\(path)?done=removed")
        #expect(try names() == ["daisy/1.jpg"])
    }

    @Test("An image of a page that is not ours is refused, and the server's reasons arrive")
    func refusals() throws {
        #expect(try add("a.jpg", token: "x").status == 403)
        let answer = try add("../a.jpg")
        #expect(answer.status == 400 && answer.text.contains("An image's name must have"))
        #expect(try names() == [])
    }

    @Test("A long list is paged")
    func pages() throws {
        for number in 100..<205 { #expect(try add("\(number).jpg").status == 200) }
        let page = try browser.get(path)
        #expect(page.text.contains("Remove 199.jpg") && !page.text.contains("Remove 200.jpg"))
        #expect(page.addresses.contains("/console/\(path)?from=100"))
        #expect(try browser.get("\(path)?from=100").text.contains("Remove 204.jpg"))
    }

    @Test("Viewers see neither images nor rehearsals")
    func viewers() throws {
        let viewer = try fixture.browser(.viewer)
        for page in [path, "projects/project-a/models/\(id)/rehearsals"] {
            #expect(try viewer.get(page).status == 403, "\(page)")
        }
    }
}
