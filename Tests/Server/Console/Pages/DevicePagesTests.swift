import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthRouting
import HearthStorage
import HearthWire
import Testing

@testable import HearthConsole
@testable import HearthManagementTestSupport

@Suite("The page of a model's devices") struct DevicePagesTests {
    private let fixture: ConsoleFixture
    private let id: String
    private let path: String

    init() throws {
        fixture = try ConsoleFixture()
        id = try fixture.service.makeModel("flowers", FakeProbe.ok("1"), isPublished: true)
        path = "projects/project-a/models/\(id)/devices"
        try fixture.service.makeVersion(id, FakeProbe.ok("2"))
        let noted = try fixture.service.hearthAdmin(
            .patch, "models/\(id)/versions/2", #"{"note":"more <roses>"}"#)
        #expect(noted.status == 200, "\(noted.text)")
    }

    private func release() throws {
        let answer = try fixture.service.hearthAdmin(
            .post, "models/\(id)/releases", #"{"version":2,"audience":{"countries":["CH"]}}"#)
        try #require(answer.status == 200, "\(answer.text)")
    }

    /// The installation with `TestService.fid` asks for the model.
    private func ask(country: String) throws {
        let service = fixture.service
        let answer = try service.call(
            .get, "/v1beta2/projects/project-a/models/flowers:download?key=\(service.a.apiKey)",
            headers: [
                "x-goog-firebase-installations-auth": try service.installationToken(service.a),
                "x-ios-bundle-identifier": service.a.bundleID, "x-hearth-country": country, "x-hearth-os": "ios",
                "x-hearth-tags": "qa",
            ])
        try #require(answer.status == 200, "\(answer.text)")
    }

    private var logName: String { InstallationLogName(id: TestService.fid).description }

    @Test("Installations that asked lately are listed, filtered and opened, without their ids")
    func recent() throws {
        let browser = try fixture.browser(.viewer)
        #expect(try browser.get(path).text.contains("The server remembers no call."))
        try release()
        try ask(country: "CH")
        let page = try browser.get(path)
        page.expectPage("Devices of flowers")
        #expect(page.text.contains("<code>\(logName)</code>") && !page.text.contains(TestService.fid))
        let encoded = logName.replacing(":", with: "%3A")
        #expect(page.addresses.contains("/console/\(path)?installation=\(encoded)#one"))
        for filter in ["with-country=ch", "with-os=iOS", "with-tag=qa", "with-country=CH&with-tag=qa"] {
            #expect(try browser.get("\(path)?\(filter)").text.contains("<code>\(logName)</code>"), "\(filter)")
        }
        for filter in ["with-country=AT", "with-os=android", "with-tag=q", "with-version=2", "with-language=de"] {
            let page = try browser.get("\(path)?\(filter)")
            #expect(page.text.contains("No remembered installation is like that."), "\(filter)")
        }
        let opened = try browser.get("\(path)?installation=\(encoded)")
        #expect(opened.text.contains("\(logName) gets version 2 of &#39;flowers&#39;"))
        let refused = try browser.get("\(path)?with-version=x")
        refused.expectPage("Devices of flowers", status: 400)
        #expect(refused.text.contains("version: This must be a whole number, 1 or more."))
    }

    @Test("A text that is no id is explained, and so is a fact that no device can send")
    func malformed() throws {
        let browser = try fixture.browser(.viewer)
        let page = try browser.get("\(path)?installation=abc")
        page.expectPage("Devices of flowers")
        #expect(
            page.text.contains("&#39;abc&#39; is not an id of an installation: it has 3 characters, and such an id"))
        #expect(page.text.contains("value=\"abc\"") && !page.text.contains("abc gets"))
        #expect(page.text.contains("hearth releases explain flowers --installation abc"))
        #expect(page.text.contains("hearth releases pin flowers --installation INSTALLATION --version 2"))
        let wrong = try browser.get("\(path)?installation=\(TestService.fid)&country=Switzerland")
        wrong.expectPage("Devices of flowers", status: 400)
        #expect(wrong.text.contains("A country has two letters, such as CH."))
        #expect(wrong.text.contains("value=\"Switzerland\""))
        let unknown = try browser.get("\(path)?installation=device:0123456789ab")
        unknown.expectPage("Devices of flowers", status: 404)
        #expect(unknown.text.contains("The server remembers no call of &#39;device:0123456789ab&#39;"))
    }

    @Test("A pin shows the version with its note, and its device leads to what it gets")
    func pins() throws {
        try fixture.service.services.metadata.write { store in
            try store.insert(
                Installation(projectID: "project-a", fid: TestService.fid, appID: "a", createdMicroseconds: 0))
        }
        let browser = try fixture.browser(.publisher)
        #expect(try browser.get(path).text.contains("Version 2: more &lt;roses&gt;</option>"))
        let made = try browser.post(path, [("pin-installation", TestService.fid), ("pin-version", "2")])
        #expect(made.headers["Location"] == "/console/\(path)?done=pinned#main")
        let page = try browser.get(path)
        #expect(page.text.contains("Version 2</a>: more &lt;roses&gt;"))
        let encoded = logName.replacing(":", with: "%3A")
        #expect(page.addresses.contains("/console/\(path)?installation=\(encoded)#one"))
        #expect(try browser.get("\(path)?installation=\(encoded)").text.contains("it is pinned"))
    }

    @Test("A pin that is refused says why at its form, where the browser comes back to")
    func refusedPin() throws {
        let browser = try fixture.browser(.publisher)
        #expect(try browser.get(path).text.contains("action=\"/console/\(path)#pin\""))
        let page = try browser.post(path, [("pin-installation", "abc"), ("pin-version", "2")])
        page.expectPage("Devices of flowers", status: 404)
        let form = try #require(page.text(between: "<details id=\"pin\" open>", "</details>"))
        #expect(form.contains("The server knows no installation with this id"))
        #expect(form.contains("&#39;abc&#39; is not an id of an installation: it has 3 characters"))
        #expect(form.contains("id=\"problem\"") && !form.contains("autofocus"), "the address leads there")
        #expect(page.text.ranges(of: "The server knows no installation").count == 1)
        #expect(form.contains("value=\"abc\"") && form.contains("<option value=\"2\" selected>"))
        let empty = try browser.post(path, [("pin-version", "2")])
        #expect(empty.status == 400 && empty.text.contains("Give the id of an installation, or a tag."))
    }
}
