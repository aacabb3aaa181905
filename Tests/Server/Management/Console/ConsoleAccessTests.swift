import HearthCalls
import HearthCatalog
import HearthCrypto
import HearthHTTP
import HearthIdentity
import HearthRouting
import HearthStorage
import HearthWire
import Testing

@testable import HearthManagementTestSupport

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

    // MARK: Links and who made them

    private func made(_ token: String? = nil, seconds: Int = 3600) throws -> String {
        let model = try service.services.metadata.read {
            try $0.models(project: "project-a", after: 0, limit: 1).first?.id
        }
        let id = try model.map { "\($0)" } ?? service.makeModel("flowers", FakeProbe.ok(), isPublished: true)
        let answer = try makeLink(#"{"model":"\#(id)","release":1,"lifetimeSeconds":\#(seconds)}"#, token: token)
        return String(try #require(answer.string("path")?.split(separator: "=").last, "\(answer.text)"))
    }

    private func isShown(_ secret: String) throws -> Bool {
        try service.handler.consoleAccess.sharedLink(secret) != nil
    }

    @Test("A link ends with the token that made it, and the answer says how many did")
    func linksOfToken() throws {
        let token = try service.adminToken(.publisher)
        let id = try #require(token.split(separator: "_").dropFirst().first)
        let links = [try made(token), try made(token)]
        _ = try made(token, seconds: 60)
        let other = try made()
        service.time.advance(seconds: 60)
        let answer = try service.hearthAdmin(.delete, "adminTokens/\(id)")
        #expect(answer.status == 200 && answer["endedLinks"] as? Int == 2, "\(answer.text)")
        #expect(try !links.contains { try isShown($0) } && isShown(other))
        #expect(try service.services.metadata.read { try $0.sharedLinks(madeBy: "token:\(id)") }.isEmpty)
        let entries = try service.audit().filter { $0.action == "link.revoke" }
        #expect(entries.count == 3 && entries.allSatisfy { $0.detail.hasSuffix(", with token:\(id)") }, "\(entries)")
        #expect(try service.hearthAdmin(.delete, "adminTokens/\(id)")["endedLinks"] == nil, "once")
    }

    @Test("A link of a token that expires shows nothing from then on, and is not listed")
    func linkOfExpiringToken() throws {
        let ends = service.time.now.adding(seconds: 100).microseconds
        let secret = try made(service.adminToken(.publisher, ends: ends))
        service.time.advance(seconds: 99)
        #expect(try isShown(secret) && service.hearthAdmin(.get, "sharedLinks").text.contains("release"))
        service.time.advance(seconds: 1)
        #expect(try !isShown(secret) && !service.hearthAdmin(.get, "sharedLinks").text.contains("release"))
    }

    @Test("Links of an account end with its last key, and do not come back with its name")
    func linksOfAccount() throws {
        let key = try service.addAccount("tool", .publisher)
        let secret = try made(service.accessToken(key))
        let second = try service.addKey(to: key.email)
        #expect(try service.hearthAdmin(.delete, "serviceAccounts/\(key.email)/keys/\(key.id)")["endedLinks"] == nil)
        #expect(try isShown(secret), "the account has another key")
        let last = try service.hearthAdmin(.delete, "serviceAccounts/\(key.email)/keys/\(second.id)")
        #expect(last.status == 200 && last["endedLinks"] as? Int == 1, "\(last.text)")
        #expect(try !isShown(secret))
        let again = try service.hearthAdmin(.post, "serviceAccounts", #"{"name":"tool","role":"publisher"}"#)
        #expect(again.status == 200, "\(again.text)")
        #expect(try !isShown(secret))
    }

    @Test("Whoever revokes a leaked key with what was made by it ends the links too")
    func linksOfLeakedKey() throws {
        let key = try service.addAccount("tool", .owner)
        let token = try service.accessToken(key)
        let new = try service.hearth(
            .post, "projects/project-a/adminTokens", #"{"name":"ci","role":"publisher"}"#, token: token)
        let links = [try made(token), try made(new.string("token"))]
        _ = try service.addKey(to: key.email)
        let answer = try service.hearthAdmin(
            .delete, "serviceAccounts/\(key.email)/keys/\(key.id)?endTokens=true")
        #expect(answer.status == 200 && answer["endedLinks"] as? Int == 2, "\(answer.text)")
        #expect(try !links.contains { try isShown($0) })
    }

    @Test("A link shows what its maker may see, so it outlives a lower role")
    func lowerRole() throws {
        let key = try service.addAccount("tool", .owner)
        let secret = try made(service.accessToken(key))
        let changed = try service.hearthAdmin(.patch, "serviceAccounts/\(key.email)", #"{"role":"viewer"}"#)
        #expect(changed.status == 200, "\(changed.text)")
        #expect(try isShown(secret), "a viewer sees releases")
    }
}
