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

@Suite("Every answer of the console") struct AnswerFieldsTests {
    private let fixture: ConsoleFixture

    init() throws { fixture = try ConsoleFixture() }

    private func expectFields(
        _ answer: TestResponse, _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for field in AnswerFields.all {
            #expect(answer.headers.values(field.name) == [field.value], comment, sourceLocation: sourceLocation)
        }
        let isAsset = answer.headers["Cache-Control"]?.contains("immutable") == true
        if answer.status < 400, !isAsset {
            let isKept = ["no-store", "private"].contains(answer.headers["Cache-Control"])
            #expect(isKept, comment, sourceLocation: sourceLocation)
        }
    }

    @Test("The policy allows nothing inline, nothing from elsewhere, and no frames")
    func policy() {
        let parts = AnswerFields.policy.split(separator: "; ").map(String.init)
        #expect(parts.contains("default-src 'none'") && parts.contains("frame-ancestors 'none'"))
        #expect(parts.contains("script-src 'self'") && parts.contains("style-src 'self'"))
        #expect(parts.contains("form-action 'self'") && parts.contains("base-uri 'none'"))
        #expect(!AnswerFields.policy.contains("unsafe") && !AnswerFields.policy.contains("*"))
        #expect(AnswerFields.all["X-Frame-Options"] == "DENY")
    }

    @Test("All pages, signed in and not, have the fields; so have refusals and what does not exist")
    func everywhere() throws {
        let browser = try fixture.browser()
        let stranger = Browser(fixture)
        for path in try fixture.paths(.get) + ["nothing", "projects/none/keys", "assets/none.js", "sign-in", "shared"] {
            expectFields(try browser.get(path), "\(path)")
            expectFields(try stranger.get(path), "\(path) signed out")
            expectFields(try stranger.send(.head, "/console/\(path)"), "HEAD \(path)")
        }
        for asset in ["style.css", "page.js", "sign-in.js", "icon.svg"] {
            expectFields(try stranger.get("assets/\(Assets.shared.address(of: asset))"), "\(asset)")
        }
        for path in try fixture.paths(.post) + ["sign-in", "sign-out", "nothing"] {
            expectFields(try stranger.postRaw(path, []), "POST \(path) signed out")
            expectFields(try browser.postRaw(path, []), "POST \(path) without a token")
            stranger.origin = nil
            expectFields(try stranger.postRaw(path, []), "POST \(path) without an origin")
        }
        expectFields(try browser.send(.delete, "/console/account"), "another method")
        expectFields(try browser.send(.options, "/console/account"), "OPTIONS")
        expectFields(try browser.send(.get, "/console/api/hearth/v1/caller"), "a call")
        expectFields(try stranger.send(.get, "/console/api/hearth/v1/caller"), "a call without a session")
        expectFields(try browser.send(.get, "/console/api/nothing"), "a call of nothing")
    }

    @Test("No page that a browser opens changes anything")
    func reading() throws {
        let browser = try fixture.browser()
        let before = try fixture.state()
        for path in try fixture.paths(.get) {
            let query = path.contains("?") ? "" : "?done=saved&name=x&role=owner&tokens=yes&confirm=yes"
            let answer = try browser.get(path + query)
            #expect([200, 303, 403, 404].contains(answer.status), "\(path): \(answer.status) \(answer.text)")
            #expect(try fixture.state() == before, "\(path)")
        }
        let pages = Set(try fixture.paths(.get))
        for path in try fixture.paths(.post) where !pages.contains(path) {
            #expect(try browser.get(path).status == 405, "\(path)")
        }
        #expect(try browser.get("sign-out").status == 405)
        #expect(try fixture.state() == before)
        #expect(try browser.isSignedIn)
    }

    @Test("Each page that a viewer may not see is refused by the API, and no viewer's form does anything")
    func viewers() throws {
        let viewer = try fixture.browser(.viewer)
        let before = try fixture.state()
        for path in try fixture.paths(.post) {
            let answer = try viewer.post(path, [("name", "x"), ("role", "owner"), ("key", "x"), ("days", "1")])
            // A viewer may end the own session, of which there is none with that id, and discard a draft, of which there
            // is none.
            let isDraft = path.contains("config/") && [303, 409].contains(answer.status)
            #expect([400, 403, 404].contains(answer.status) || isDraft, "\(path): \(answer.status)")
            #expect(try fixture.state() == before, "\(path)")
        }
        for path in [
            "projects/project-a/keys", "projects/project-a/audit", "projects/project-a/links", "audit", "server/tokens",
        ] {
            #expect(try viewer.get(path).status == 403, "\(path)")
        }
        for path in try fixture.paths(.get) where path.hasPrefix("projects/project-a/") {
            let page = try viewer.get(path.replacing("project-a", with: "project-b"))
            #expect(page.status == 403 || page.status == 404, "\(path) of another project: \(page.status)")
        }
    }
}

extension ConsoleFixture {
    /// The console's pages with real things in the place of the names: all, or those of forms.
    func paths(_ method: HTTPMethod) throws -> [String] {
        let values = [
            "project": "project-a", "email": service.a.account.email, "key": service.a.apiKeyRecord.id, "token": "none",
            "session": "none", "link": "none",
        ]
        return ConsolePages.routes.filter { $0.method == method }.map { route in
            route.pattern.split(separator: "/", omittingEmptySubsequences: false).map { segment in
                guard segment.hasPrefix("{") else { return String(segment) }
                let name = segment.dropFirst().dropLast()
                return URLText.encode(values[String(name)] ?? "1")
            }.joined(separator: "/")
        }
    }

    /// All that a page could change.
    func state() throws -> [String] {
        try service.services.metadata.read { store in
            // That a change was refused is noted, a little later.
            let entries = try store.audit(project: nil, before: nil, limit: 10_000)
            var texts = entries.filter { $0.action != "access.refuse" }.map { "\($0)" }
            texts += try store.consoleSessions().map { "\($0)" }
            for project in try store.projects() { texts += try store.sharedLinks(project: project.id).map { "\($0)" } }
            texts += try store.adminTokens().map { "\($0)" } + store.apiKeys().map { "\($0)" }
            texts += try store.accountKeys().map { "\($0)" } + store.serviceAccounts().map { "\($0)" }
            return texts
        } + ["\(service.services.metadata.servingRevision)"]
    }
}
