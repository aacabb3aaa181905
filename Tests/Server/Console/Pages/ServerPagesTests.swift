import HearthCalls
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

@Suite("Pages of the server and of links") struct ServerPagesTests {
    private static func status() -> ServerBodies.Status {
        var status = ServerBodies.Status(version: "9.9", startTime: "2027-01-15T08:00:00Z", console: true)
        (status.engine, status.schema, status.connections) = ("LiteRT 7", 12, 3)
        status.folders = [.init(name: "data", path: "/srv/<x>", freeBytes: "1000000", sizeBytes: "100000000")]
        status.settings = [
            .init(name: "port", value: "8787", source: "default", summary: "Port."),
            .init(name: "address", value: "::1", source: "--address", summary: "Address."),
        ]
        return status
    }

    @Test("Operators see disks, queue, backup and settings")
    func operators() throws {
        let fixture = try ConsoleFixture {
            $0.serverStatus = { Self.status() }; $0.notes = ["a note"]
        }
        let page = try fixture.browser(.owner, in: nil).get("server")
        page.expectPage("Server")
        for text in [
            "Hearth 9.9", "LiteRT 7", "<code>/srv/&lt;x&gt;</code>", "1 %", "none known", "a note", "--address",
            "Settings that were changed", "All 2 settings", "data-live-page", "http://127.0.0.1:8080",
        ] { #expect(page.text.contains(text), "\(text)") }
        #expect(page.addresses.contains("/console/audit") && page.addresses.contains("/console/server/tokens"))
    }

    @Test("What servers share is named")
    func sharedData() throws {
        let fixture = try ConsoleFixture { services in
            services.serverStatus = {
                var status = Self.status()
                (status.database, status.modelStore) = ("db.example/hearth", "s3://models")
                return status
            }
        }
        let page = try fixture.browser(.owner, in: nil).get("server")
        #expect(page.text.contains("<code>db.example/hearth</code>") && page.text.contains("<code>s3://models</code>"))
    }

    @Test("Records that must not be changed are no outage: the page says why, and others can be looked at")
    func readOnly() throws {
        let fixture = try ConsoleFixture()
        let browser = try fixture.browser()
        let code = try fixture.code()
        let path = "projects/project-a/keys/tokens/new"
        let form = try browser.get(path)
        let id = try #require(form.text(between: "name=\"form-id\" value=\"", "\""))
        try fixture.service.setReadOnly(true)
        let fields = [("name", "ci"), ("role", "viewer"), ("days", "1"), (SingleUseForms.field, id)]
        let refused = try browser.post(path, fields)
        #expect(refused.status == 503 && refused.text.contains("read-only since 2027-01-15T08:00:00Z (it is copied)"))
        let page = try Browser(fixture).signIn(code)
        page.expectPage("Read-only now", status: 503)
        #expect(page.headers["Retry-After"] == "60" && page.text.contains("(it is copied)"))
        #expect(!page.text.contains("cannot reach its database"))
        #expect(try browser.get("projects/project-a/models").status == 200)
    }

    @Test("The age of the last backup is shown, and why the server is not ready")
    func backup() throws {
        let fixture = try ConsoleFixture { services in
            services.serverStatus = {
                var status = Self.status()
                status.lastBackupTime = "2027-01-14T02:00:00Z"
                return status
            }
            services.readinessProblems = { ["the disk is full"] }
        }
        let page = try fixture.browser(.owner, in: nil).get("server")
        #expect(page.text.contains("2027-01-14 02:00 UTC") && page.text.contains("the disk is full"))
    }

    @Test("Others see the version and nothing of the machine", arguments: [Role.viewer, .publisher, .owner])
    func others(role: Role) throws {
        let fixture = try ConsoleFixture { $0.serverStatus = { Self.status() } }
        let page = try fixture.browser(role).get("server")
        page.expectPage("Server")
        #expect(page.text.contains("Hearth 9.9"))
        for text in ["/srv/", "LiteRT", "--address", "8787", "data-live-page"] {
            #expect(!page.text.contains(text), "\(text)")
        }
    }

    @Test("Links are listed without their secrets, and revoked")
    func links() throws {
        let fixture = try ConsoleFixture()
        let id = try fixture.service.makeModel("flowers", FakeProbe.ok(), isPublished: true)
        let made = try fixture.service.hearthAdmin(.post, "sharedLinks", #"{"model":"\#(id)","release":1}"#)
        let link = try #require(made.string("id"), "\(made.text)")
        let secret = try #require(made.string("path")?.split(separator: "=").last)
        let browser = try fixture.browser(.publisher)
        let page = try browser.get("projects/project-a/links")
        page.expectPage("Links to single pages")
        #expect(page.text.contains("release 1 of model \(id)") && !page.text.contains(secret))
        #expect(try browser.get("account").text.contains("/console/projects/project-a/links"))
        let answer = try browser.post("projects/project-a/links/\(link)/revoke")
        #expect(answer.headers["Location"] == "/console/projects/project-a/links?done=revoked")
        #expect(try browser.get("projects/project-a/links").text.contains("No link is valid now."))
        #expect(try browser.post("projects/project-a/links/\(link)/revoke").status == 404)
        #expect(try Browser(fixture).get("shared?link=\(secret)").status == 404)
    }
}
