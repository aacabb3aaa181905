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

@Suite("Calls of the pages' own scripts") struct PassthroughTests {
    private let fixture: ConsoleFixture
    private static let origin = "http://127.0.0.1:8080"
    private static let models = "/console/api/v1beta2/projects/project-a/models"
    private static let body = Array(#"{"displayName":"flowers"}"#.utf8)

    init() throws { fixture = try ConsoleFixture() }

    private func create(_ browser: Browser, _ headers: HTTPHeaders) throws -> TestResponse {
        try browser.send(.post, Self.models, headers: headers, body: Self.body)
    }

    @Test("A call with the session's token is that of the person, and the audit log names the person")
    func good() throws {
        let browser = try fixture.browser()
        let answer = try create(
            browser,
            ["Origin": Self.origin, "X-Hearth-Form-Token": browser.formToken(), "Content-Type": "application/json"])
        #expect(answer.status == 200, "\(answer.text)")
        #expect(
            try fixture.service.auditLines().last == "\(fixture.service.a.account.email) model.create models/1000001")
        let read = try browser.send(.get, Self.models + "/1000001")
        #expect(read.status == 200 && read.string("displayName") == "flowers")
    }

    @Test("A change without the token, with another session's, or from elsewhere is refused before its body")
    func forged() throws {
        let (browser, other) = (try fixture.browser(), try fixture.browser())
        let (own, foreign) = (try browser.formToken(), try other.formToken())
        let forms: [HTTPHeaders] = [
            [:], ["Origin": Self.origin], ["X-Hearth-Form-Token": own],
            ["Origin": Self.origin, "X-Hearth-Form-Token": foreign],
            ["Origin": "https://evil.example", "X-Hearth-Form-Token": own],
            ["Origin": "null", "X-Hearth-Form-Token": own],
            ["Origin": Self.origin, "X-Hearth-Form-Token": ""], ["Origin": Self.origin, "form-token": own],
        ]
        for headers in forms {
            let answer = try create(browser, headers)
            #expect(answer.status == 403 && answer.bodyBytesRead == 0, "\(headers)")
        }
        browser.cookies = [:]
        #expect(try create(browser, ["Origin": Self.origin, "X-Hearth-Form-Token": own]).status == 401)
        #expect(
            try fixture.service.services.metadata.read { try $0.models(project: "project-a", after: 0, limit: 1) }
                .isEmpty)
    }

    @Test("The API refuses what the person may not do")
    func viewer() throws {
        let browser = try fixture.browser(.viewer)
        let token = try browser.formToken()
        try create(browser, ["Origin": Self.origin, "X-Hearth-Form-Token": token])
            .expectRefusal(403, "PERMISSION_DENIED", "This call needs the role publisher; the caller is viewer.")
        #expect(try browser.send(.get, "/console/api/hearth/v1/projects/project-b").status == 403)
        #expect(try browser.send(.get, "/console/api/hearth/v1/audit").status == 403)
        #expect(try browser.send(.get, Self.models).status == 200)
    }

    @Test("A key or token in the call does not count: the session alone decides")
    func otherIdentity() throws {
        let browser = try fixture.browser(.viewer)
        let strong = try fixture.service.adminToken(.owner, in: nil)
        let answer = try browser.send(
            .get, "/console/api/hearth/v1/caller", headers: ["Authorization": "Bearer \(strong)"])
        #expect(answer.string("role") == "viewer")
        browser.cookies = [:]
        let alone = try browser.send(
            .get, "/console/api/hearth/v1/caller", headers: ["Authorization": "Bearer \(strong)"])
        #expect(alone.status == 401)
    }

    @Test("A call with a verb arrives, and escapes stay what they are")
    func paths() throws {
        let browser = try fixture.browser()
        let id = try fixture.service.makeModel("flowers")
        let answer = try browser.send(
            .post, "/console/api/hearth/v1/projects/project-a/models/\(id):rollback",
            headers: ["Origin": Self.origin, "X-Hearth-Form-Token": browser.formToken()], body: Array("{}".utf8))
        #expect(answer.string("error.status") != nil, "the API's own refusal: \(answer.text)")
        #expect(answer.status != 403, "\(answer.text)")
        let escaped = try browser.send(.get, "/console/api/hearth/v1/projects/project%2Da/models/x%2Fy/releases")
        #expect([400, 404].contains(escaped.status) && escaped.string("error.status") != nil, "\(escaped.text)")
    }

    @Test(
        "The call is what follows the console's path, never a text in the query, and never the console again",
        arguments: [
            "/%63onsole/api/healthz?x=/console/api/hearth/v1/caller",
            "/console/%61pi/healthz?x=/console/api/hearth/v1/caller",
            "/console/api/console/api/hearth/v1/caller", "/console/api/console/account",
            "/console/api//hearth/v1/caller",
        ])
    func confusion(target: String) throws {
        let browser = try fixture.browser()
        let answer = try browser.send(.get, target)
        #expect(answer.status == 404 && answer.string("actor") == nil, "\(answer.text)")
    }

    @Test("The revocation of the key ends the calls too")
    func revoked() throws {
        let token = try fixture.service.adminToken(.owner)
        let browser = try fixture.browser(token: token)
        #expect(try browser.send(.get, "/console/api/hearth/v1/caller").status == 200)
        let id = try #require(token.split(separator: "_").dropFirst().first)
        _ = try fixture.service.hearthAdmin(.delete, "adminTokens/\(id)")
        #expect(try browser.send(.get, "/console/api/hearth/v1/caller").status == 401)
    }
}
