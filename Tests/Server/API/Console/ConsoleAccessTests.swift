import HearthAPI
import HearthCatalog
import HearthCrypto
import HearthHTTP
import HearthIdentity
import HearthStorage
import HearthWire
import Testing

@testable import HearthAPITestSupport

@Suite("Codes, sessions and links of the console") struct ConsoleAccessTests {
    private let service: TestService

    init() throws { service = try TestService() }

    private func signIn(_ proof: String, from address: String = "127.0.0.1", browser: String = "Test/1.0") throws
        -> ConsoleSession
    {
        let head = try RequestHead(
            method: .post, target: "/console/sign-in", headers: ["User-Agent": browser], remoteAddress: address)
        return try service.handler.consoleAccess.signIn(proof, head).session
    }

    private func code(_ token: String? = nil) throws -> String {
        let answer = try service.hearth(.post, "signInCodes", token: token)
        return try #require(answer.string("code"), "\(answer.text)")
    }

    // MARK: The caller

    @Test("Each caller learns who it is")
    func caller() throws {
        let own = try service.hearth(.get, "caller")
        #expect(own.string("actor") == service.a.account.email && own.string("role") == "owner")
        #expect(own.string("projectId") == "project-a" && own["operator"] == nil)
        #expect(own.string("name") == service.a.account.email.split(separator: "@").first.map(String.init))
        let root = try service.hearth(.get, "caller", token: service.adminToken(.owner, in: nil))
        #expect(root["operator"] as? Bool == true && root["projectId"] == nil)
        let viewer = try service.hearth(.get, "caller", token: service.adminToken(.viewer, in: "project-b"))
        #expect(viewer.string("actor")?.hasPrefix("token:") == true && viewer.string("role") == "viewer")
        #expect(viewer.string("projectId") == "project-b")
    }

    // MARK: Codes

    @Test("A code is secret, ends after a minute, and is stored as a hash")
    func codes() throws {
        let answer = try service.hearth(.post, "signInCodes")
        let code = try #require(answer.string("code"))
        #expect(answer.headers["Cache-Control"] == "no-store")
        #expect(answer.string("path") == "/console/sign-in#\(code)", "a fragment, which no browser sends")
        #expect(answer.string("expireTime") == "2027-01-15T08:01:00.000123Z")
        #expect(code.utf8.count == 60)
        #expect(try signIn(code).credential == .accountKey(id: service.a.accountKey.id, isReadOnly: false))
        #expect(throws: ConsoleAccess.Refusal.self) { try signIn(code) }
        let entries = try service.audit().map { "\($0)" }
        #expect(!entries.contains { $0.contains(code) })
    }

    @Test("Two requests that show one code at the same time get one session")
    func race() async throws {
        let code = try code()
        let good = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 { group.addTask { (try? self.signIn(code)) != nil } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(good == 1)
    }

    @Test("A code of a key with read-only scopes begins a session that only reads")
    func readOnly() throws {
        let token = try service.services.accessTokens.issue(
            for: service.a.accountKey, isReadOnly: true, nowSeconds: service.time.now.seconds)
        #expect(try signIn(code(token)).credential == .accountKey(id: service.a.accountKey.id, isReadOnly: true))
    }

    @Test("Without a console there are no codes")
    func off() throws {
        let service = try TestService { $0.console.isServed = false }
        try service.hearth(.post, "signInCodes").expectRefusal(400, "FAILED_PRECONDITION")
    }

    @Test("Codes that nobody used do not stay")
    func unused() throws {
        let first = try code()
        service.time.advance(seconds: 60)
        _ = try code()
        let hash = SecretHash.hex(of: first)
        #expect(try service.services.metadata.write { try $0.takeSignInCode(secretHash: hash) } == nil)
    }

    // MARK: Sessions

    private func ids(_ token: String? = nil) throws -> [String] {
        let answer = try service.hearth(.get, "consoleSessions", token: token)
        #expect(answer.status == 200)
        return try WireJSON.decode(ConsoleBodies.SessionList.self, from: answer.body).sessions?.map(\.id) ?? []
    }

    @Test("A session is listed with what helps to recognize it, and without its secret")
    func listed() throws {
        let session = try signIn(code(), from: "192.0.2.7", browser: "Test/1.0 <é>")
        let answer = try service.hearth(.get, "consoleSessions")
        let body = try #require(
            try WireJSON.decode(ConsoleBodies.SessionList.self, from: answer.body).sessions?.first)
        #expect(body.id == session.id && body.actor == service.a.account.email && body.address == "192.0.2.7")
        #expect(body.createTime == "2027-01-15T08:00:00.000123Z" && body.expireTime == "2027-01-22T08:00:00.000123Z")
        #expect(body.browser == "Test/1.0 <>", "only plain characters")
        #expect(!answer.text.contains(session.secretHash))
        #expect(
            try service.auditLines().last == "\(service.a.account.email) console.signIn consoleSessions/\(session.id)")
    }

    @Test("Who may see and end whose sessions")
    func rights() throws {
        let viewer = try service.adminToken(.viewer)
        let owner = try service.adminToken(.owner)
        let other = try service.adminToken(.owner, in: "project-b")
        let root = try service.adminToken(.owner, in: nil)
        let session = try signIn(code(viewer))
        let rootSession = try signIn(code(root))
        #expect(try ids(viewer) == [session.id] && ids(owner) == [session.id] && ids(other) == [])
        #expect(try Set(ids(root)) == [session.id, rootSession.id])
        func end(_ id: String, _ token: String) throws -> Int {
            try service.hearth(.delete, "consoleSessions/\(id)", token: token).status
        }
        #expect(try end(session.id, other) == 404 && end(rootSession.id, owner) == 404 && end("none", root) == 404)
        #expect(try end(session.id, owner) == 200 && end(session.id, owner) == 404)
        #expect(try service.auditLines().last?.hasSuffix("console.revoke consoleSessions/\(session.id)") == true)
        #expect(try end(rootSession.id, root) == 200)
    }

    @Test("Sessions of a revoked key are not listed any more")
    func revoked() throws {
        let key = try service.addAccount("tool", .publisher)
        let session = try signIn(code(service.accessToken(key)))
        #expect(try ids() == [session.id])
        #expect(try service.hearthAdmin(.delete, "serviceAccounts/\(key.email)").status == 200)
        #expect(try ids() == [])
    }

    // MARK: Links

    private func makeLink(_ json: String, token: String? = nil) throws -> TestResponse {
        try service.hearth(.post, "projects/project-a/sharedLinks", json, token: token)
    }

    @Test("A link shows its secret once, and ends when it says")
    func link() throws {
        let model = try service.makeModel("flowers", FakeProbe.ok(), isPublished: true)
        let made = try makeLink(#"{"model":"\#(model)","release":1,"lifetimeSeconds":3600}"#)
        let path = try #require(made.string("path"), "\(made.text)")
        #expect(made.headers["Cache-Control"] == "no-store")
        #expect(made.string("expireTime") == "2027-01-15T09:00:00.000123Z")
        let secret = String(try #require(path.split(separator: "=").last))
        #expect(path == "/console/shared?link=\(secret)")
        let access = service.handler.consoleAccess
        #expect(try access.sharedLink(secret)?.page == .release(model: Int64(model) ?? 0, number: 1))
        #expect(try access.sharedLink(String(secret.dropLast()) + "!") == nil && access.sharedLink("") == nil)
        let list = try service.hearthAdmin(.get, "sharedLinks")
        #expect(list.text.contains(try #require(made.string("id"))) && !list.text.contains(secret))
        #expect(try !service.audit().contains { "\($0)".contains(secret) })
        service.time.advance(seconds: 3600)
        #expect(try access.sharedLink(secret) == nil)
        #expect(try !service.hearthAdmin(.get, "sharedLinks").text.contains("release"))
    }

    @Test("A link without a lifetime ends after 7 days")
    func defaultLifetime() throws {
        let model = try service.makeModel("flowers", FakeProbe.ok(), isPublished: true)
        #expect(
            try makeLink(#"{"model":"\#(model)","release":1}"#).string("expireTime") == "2027-01-22T08:00:00.000123Z")
    }

    @Test(
        "What cannot be shared is refused",
        arguments: [
            ("{}", 400), (#"{"model":"1000001"}"#, 400), (#"{"release":1}"#, 400), (#"{"model":"x","release":1}"#, 400),
            (#"{"model":"1000001","release":1,"experiment":"x"}"#, 400), (#"{"model":"1000001","release":9}"#, 404),
            (#"{"model":"9","release":1}"#, 404), (#"{"experiment":"none"}"#, 404),
            (#"{"model":"x","experiment":"y"}"#, 400),
            (#"{"model":"1000001","release":1,"lifetimeSeconds":59}"#, 400),
            (#"{"model":"1000001","release":1,"lifetimeSeconds":7776001}"#, 400),
        ])
    func refused(json: String, status: Int) throws {
        _ = try service.makeModel("flowers", FakeProbe.ok(), isPublished: true)
        let answer = try makeLink(json)
        answer.expectRefusal(status, status == 404 ? "NOT_FOUND" : "INVALID_ARGUMENT")
    }

    @Test("A link is the project's own: others neither make, see nor revoke it")
    func otherProject() throws {
        let model = try service.makeModel("flowers", FakeProbe.ok(), isPublished: true)
        let stranger = try service.adminToken(.owner, in: "project-b")
        #expect(try makeLink(#"{"model":"\#(model)","release":1}"#, token: stranger).status == 403)
        #expect(
            try service.hearth(
                .post, "projects/project-b/sharedLinks", #"{"model":"\#(model)","release":1}"#, token: stranger
            )
            .status == 404, "nor through their own project")
        let id = try #require(try makeLink(#"{"model":"\#(model)","release":1}"#).string("id"))
        #expect(try service.hearth(.delete, "projects/project-b/sharedLinks/\(id)", token: stranger).status == 404)
        #expect(try service.hearthAdmin(.delete, "sharedLinks/\(id)").status == 200)
        #expect(try service.hearthAdmin(.delete, "sharedLinks/\(id)").status == 404)
    }

    @Test("A link goes with the model that it shows")
    func deletedModel() throws {
        let model = try service.makeModel("flowers", FakeProbe.ok(), isPublished: true)
        let made = try makeLink(#"{"model":"\#(model)","release":1}"#)
        let secret = String(try #require(made.string("path")?.split(separator: "=").last))
        #expect(try service.publish(model, false).status == 200)
        #expect(try service.admin(.delete, "models/\(model)").status == 200)
        #expect(try service.handler.consoleAccess.sharedLink(secret) == nil)
    }
}
