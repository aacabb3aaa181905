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

@Suite("Pages of the audit log") struct AuditPagesTests {
    private static let path = "projects/project-a/audit"
    private let fixture: ConsoleFixture
    private let browser: Browser

    init() throws {
        fixture = try ConsoleFixture()
        browser = try fixture.browser()
    }

    private func add(_ action: String, _ subject: String, _ detail: String, project: String = "project-a") throws {
        try fixture.service.services.metadata.write { store in
            try store.append(
                AuditEntry(
                    projectID: project, actor: "token:<x>", action: action, subject: subject, detail: detail,
                    atMicroseconds: fixture.service.time.now.microseconds))
        }
    }

    @Test("An entry shows who, what and the difference, and leads to its page")
    func entries() throws {
        let id = try fixture.service.makeModel("flowers")
        try add("model.publish", "models/\(id)", "unpublished -> <published>")
        let page = try browser.get(Self.path)
        page.expectPage("Audit log")
        #expect(page.text.contains("<a href=\"/console/projects/project-a/models/\(id)\">model flowers</a>"))
        #expect(
            page.text.contains(
                "<del class=\"removed\">unpublished</del> → <ins class=\"added\">&lt;published&gt;</ins>"))
        #expect(page.text.contains("token:&lt;x&gt;"))
    }

    @Test("A file and a version of a template have their names, and not the addresses in the server")
    func files() throws {
        try add("file.upload", "gs://project-a.appspot.com/4f/flowers <1>.tflite", "12 bytes")
        try add("config.update", "namespaces/firebase/versions/3", "")
        let page = try browser.get(Self.path)
        #expect(page.text.contains(">Remote Config, version 3</a>"))
        #expect(page.text.contains(">file flowers &lt;1&gt;.tflite</span>") && !page.text.contains(">gs://"))
    }

    @Test("What was refused stands out")
    func refused() throws {
        let viewer = try fixture.browser(.viewer)
        let path = "projects/project-a/keys/tokens/new"
        #expect(try viewer.post(path, [("name", "x"), ("role", "owner"), ("days", "")]).status == 403)
        let call = try viewer.send(
            .delete, "/console/api/hearth/v1/projects/project-a/apiKeys/x",
            headers: ["Origin": "http://127.0.0.1:8080", "X-Hearth-Form-Token": viewer.formToken()])
        #expect(call.status == 403)
        // The log is written in turn, so it is complete when a later change is.
        _ = try fixture.code()
        let refusals = try fixture.service.audit().filter { $0.action == "access.refuse" }
        #expect(refusals.count == 2 && refusals.allSatisfy { $0.actor.hasPrefix("token:") }, "\(refusals)")
        #expect(try browser.get(Self.path).text.contains("<span class=\"badge warning\">access.refuse</span>"))
    }

    @Test("Filters are in the address, are shown again, and hold on the pages after")
    func filters() throws {
        for number in 0..<60 { try add("model.update", "models/\(number + 1)", "number \(number)") }
        try add("file.delete", "files/x", "other")
        let first = try browser.get(Self.path + "?action=model&from=2027-01-15T00:00&to=")
        #expect(
            first.text.contains("number 59") && !first.text.contains("number 9<") && !first.text.contains(">other<"))
        #expect(first.text.contains("value=\"model\"") && first.text.contains("value=\"2027-01-15T00:00\""))
        #expect(first.text.contains("hearth admin audit --action model --since 2027-01-15T00:00:00Z"))
        let older = try #require(first.addresses.first { $0.contains("page=") })
        let second = try browser.send(.get, older.replacing("&amp;", with: "&"))
        #expect(
            second.text.contains("number 9<") && !second.text.contains("number 59") && !second.text.contains(">other<"))
        #expect(second.text.contains(">Newest</a>"))
        #expect(try browser.get(Self.path + "?from=2027-01-16T00:00").text.contains("No entry matches."))
        #expect(try browser.get(Self.path + "?to=2027-01-15").text.contains("No entry matches."))
    }

    @Test(
        "A filter that cannot be read is shown again with the reason",
        arguments: ["from=yesterday", "page=x", "to=%3Cb%3E"])
    func wrongFilter(query: String) throws {
        let page = try browser.get(Self.path + "?" + query)
        page.expectPage("Audit log", status: 400)
        #expect(page.text.contains("class=\"problem\"") && !page.text.contains("<b>"))
        #expect(!page.text.contains("Nothing was changed"))
    }

    @Test("Operators read the whole server's log, owners only that of their project")
    func wholeServer() throws {
        try add("project.create", "projects/project-b", "", project: "project-b")
        #expect(try !browser.get(Self.path).text.contains("project.create"))
        #expect(try browser.get("audit").status == 403)
        let root = try fixture.browser(.owner, in: nil)
        let page = try root.get("audit")
        page.expectPage("Audit log of the whole server")
        #expect(page.text.contains("project.create") && page.text.contains("hearth admin audit --all-projects"))
        #expect(page.text.contains("href=\"/console/projects/project-b/\""))
    }

    @Test(
        "A subject leads to its page, where there is one",
        arguments: [
            ("models/1000001", "models/1000001"), ("models/1000001/releases/4", "models/1000001/releases/4"),
            ("models/1/versions/2", "models/1"), ("experiments/a b", "experiments/a%20b"), ("apiKeys/k", "keys/apps/k"),
            ("serviceAccounts/a@b", "keys/accounts/a%40b"), ("adminTokens/t", "keys"), ("projects/p", ""),
            ("namespaces/firebase/versions/3", "config/versions/3"),
            ("namespaces/firebase-server/versions/3", "server-config/versions/3"), ("namespaces/x/versions/3", nil),
            ("namespaces/firebase/versions/x", nil), ("files/x", nil), ("gs://b/x", nil), ("models/..", nil),
            ("models//x", nil), ("models", nil), ("", nil),
        ])
    func subjects(subject: String, page: String?) {
        let link = SubjectLink.link(subject, project: "p", Site(prefix: ""))
        #expect(link?.text == page.map { "/console/projects/p/\($0)" })
        #expect(SubjectLink.link(subject, project: nil, Site(prefix: "")) == nil)
    }

    @Test("A detail is a difference if it has one arrow")
    func differences() {
        func parts(_ text: String) -> [String]? { AuditTable.change(in: text).map { [$0.lead, $0.before, $0.after] } }
        #expect(parts("a -> b") == ["", "a", "b"])
        #expect(parts("share: 10 % -> 20 %") == ["share: ", "10 %", "20 %"])
        #expect(parts("a -> b, c -> d") == nil && parts("a->b") == nil && parts(" -> b") == nil && parts("") == nil)
    }

    @Test(
        "A time without a zone is UTC",
        arguments: [
            ("2027-01-15", "2027-01-15T00:00:00Z"), ("2027-01-15T09:30", "2027-01-15T09:30:00Z"),
            ("2027-01-15T09:30:05", "2027-01-15T09:30:05Z"), ("2027-01-15T09:30:05Z", "2027-01-15T09:30:05Z"),
            ("x", "x"),
        ])
    func times(text: String, wire: String) {
        #expect(AuditPages.time(text) == wire)
    }
}
