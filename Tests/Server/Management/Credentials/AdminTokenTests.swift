import HearthCalls
import HearthCatalog
import HearthCrypto
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthWire
import Testing

@testable import HearthManagementTestSupport

@Suite("Admin tokens") struct AdminTokenTests {
    private static let path = "projects/project-a/adminTokens"
    private let service: TestService

    init() throws { service = try TestService() }

    private func token(_ answer: TestResponse) throws -> KeyBodies.AdminToken {
        #expect(answer.status == 200, "\(answer.text)")
        return try WireJSON.decode(KeyBodies.AdminToken.self, from: answer.body)
    }

    @Test("A token works with its role until it ends, and is named in the audit log")
    func life() throws {
        let service = try TestService()
        let made = try token(
            service.hearth(.post, Self.path, #"{"name":"CI","role":"publisher","lifetimeSeconds":60}"#))
        let text = try #require(made.token)
        #expect(text.hasPrefix("hearth_\(made.id)_") && text.utf8.count == 67)
        #expect(made.createdBy == service.a.account.email && made.projectId == "project-a")
        func create(_ name: String) throws -> Int {
            try service.call(
                .post, "/v1beta2/projects/project-a/models", headers: ["Authorization": "Bearer \(text)"],
                body: Array(#"{"displayName":"\#(name)"}"#.utf8)
            ).status
        }
        #expect(try create("one") == 200)
        #expect(try service.auditLines().last == "token:\(made.id) model.create models/1000001")
        #expect(try service.hearth(.get, Self.path, token: text).status == 403)
        service.time.advance(seconds: 59)
        #expect(try create("two") == 200)
        service.time.advance(seconds: 1)
        #expect(try create("three") == 401)
        try service.hearth(.get, Self.path, token: text).expectRefusal(
            401, "UNAUTHENTICATED",
            "This admin token ended at 2027-01-15T08:01:00.000123Z; get a new one (hearth keys token create).")
        try service.hearth(.get, Self.path, token: text + "x").expectRefusal(
            401, "UNAUTHENTICATED",
            "Request had invalid authentication credentials. Expected an OAuth 2 access token of this server.")
    }

    @Test("A token ends at once when it is told to; its list shows no secret")
    func end() throws {
        let made = try token(service.hearth(.post, Self.path, #"{"name":"laptop","role":"owner"}"#))
        let text = try #require(made.token)
        let list = try service.hearth(.get, Self.path, token: text)
        #expect(list.string("adminTokens.0.token") == nil && !list.text.contains(SecretHash.hex(of: text)))
        #expect(!list.text.contains(text) && list.text.contains(made.id))
        #expect(try service.hearth(.delete, "\(Self.path)/\(made.id)", token: text).status == 200)
        try service.hearth(.get, Self.path, token: text).expectRefusal(401, "UNAUTHENTICATED")
        let again = try token(service.hearth(.delete, "\(Self.path)/\(made.id)"))
        #expect(again.endTime != nil && again.unchanged == true, "again is no error")
        #expect(
            try service.auditLines() == [
                "\(service.a.account.email) adminToken.create adminTokens/\(made.id)",
                "token:\(made.id) adminToken.end adminTokens/\(made.id)",
            ])
    }

    @Test("Tokens of the server are the operators', and those of a project its owners'")
    func scopes() throws {
        let root = try service.adminToken(.owner, in: nil)
        let wide = try token(service.hearth(.post, "adminTokens", #"{"name":"w","role":"viewer"}"#, token: root))
        #expect(wide.projectId == nil)
        let narrow = try token(service.hearth(.post, Self.path, #"{"name":"n","role":"viewer"}"#))
        func ids(_ path: String) throws -> [String] {
            let answer = try service.hearth(.get, path, token: root)
            return try WireJSON.decode(KeyBodies.AdminTokenList.self, from: answer.body).adminTokens?.map(\.id) ?? []
        }
        #expect(try ids(Self.path) == [narrow.id])
        #expect(try ids("adminTokens").contains(wide.id) && !ids("adminTokens").contains(narrow.id))
        try service.hearth(.delete, "\(Self.path)/\(wide.id)").expectRefusal(404, "NOT_FOUND")
        try service.hearth(.delete, "adminTokens/\(narrow.id)", token: root).expectRefusal(404, "NOT_FOUND")
        let other = try service.adminToken(.owner, in: "project-b")
        try service.hearth(.delete, "projects/project-b/adminTokens/\(narrow.id)", token: other)
            .expectRefusal(404, "NOT_FOUND")
        #expect(try service.audit("").map(\.action) == ["adminToken.create"], "belongs to no project")
    }

    @Test(
        "Bad bodies are refused",
        arguments: [
            "{}", #"{"name":"x"}"#, #"{"name":"x","role":"operator"}"#, #"{"name":"","role":"viewer"}"#,
            #"{"name":"x","role":"viewer","lifetimeSeconds":0}"#, #"{"name":"x","role":"viewer","lifetimeSeconds":-1}"#,
            #"{"name":"x","role":"viewer","lifetimeSeconds":9223372036854775807}"#,
        ])
    func refusals(body: String) throws {
        try service.hearth(.post, Self.path, body).expectRefusal(400, "INVALID_ARGUMENT")
    }
}
