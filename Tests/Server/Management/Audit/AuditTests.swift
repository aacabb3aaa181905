import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthRouting
import HearthStorage
import HearthWire
import Testing

@testable import HearthManagementTestSupport

@Suite("Audit log") struct AuditTests {
    private let service: TestService

    init() throws {
        service = try TestService()
        try service.services.metadata.write { store in
            for number in 1...7 {
                try store.append(
                    AuditEntry(
                        projectID: number == 4 ? "project-b" : number == 5 ? "" : "project-a", actor: "ann",
                        action: "test", subject: "s\(number)", detail: number == 1 ? "" : "d",
                        atMicroseconds: Int64(number)))
            }
        }
    }

    private func page(_ path: String, token: String? = nil) throws -> AuditBodies.List {
        let answer = try service.hearth(.get, path, token: token)
        #expect(answer.status == 200, "\(answer.text)")
        return try WireJSON.decode(AuditBodies.List.self, from: answer.body)
    }

    @Test("A project's entries come newest first, page by page, each once")
    func pages() throws {
        var subjects: [String] = []
        var token = ""
        repeat {
            let page = try page("projects/project-a/audit?pageSize=2&pageToken=\(token)")
            #expect((1...2).contains(page.entries?.count ?? 0))
            subjects += page.entries?.map(\.subject) ?? []
            token = page.nextPageToken ?? ""
        } while !token.isEmpty
        #expect(subjects == ["s7", "s6", "s3", "s2", "s1"])
        #expect(try page("projects/project-a/audit?pageSize=5").nextPageToken == nil)
        #expect(try page("projects/project-a/audit").entries?.last?.time == "1970-01-01T00:00:00.000001Z")
    }

    @Test("Operators see the whole server's")
    func server() throws {
        let entries = try page("audit", token: service.adminToken(.owner, in: nil)).entries
        #expect(entries?.map(\.subject) == ["s7", "s6", "s5", "s4", "s3", "s2", "s1"])
        #expect(entries?.map(\.projectId)[2...3] == [nil, "project-b"])
    }

    @Test("Bad page sizes and tokens are refused, huge ones are cut")
    func badPages() throws {
        for query in ["pageSize=-1", "pageSize=x", "pageToken=x", "pageToken=-1", "pageToken=99999999999999999999"] {
            try service.hearth(.get, "projects/project-a/audit?\(query)").expectRefusal(400, "INVALID_ARGUMENT")
        }
        #expect(try page("projects/project-a/audit?pageSize=9223372036854775807").entries?.count == 5)
        #expect(try page("projects/project-a/audit?pageSize=0").entries?.count == 5)
        #expect(try page("projects/project-a/audit?pageToken=1").entries == nil, "behind the oldest")
    }
}

@Suite("Questions to the audit log") struct AuditQueryTests {
    private let service: TestService

    init() throws { service = try TestService() }

    private func entries(_ query: String) throws -> [AuditBodies.Entry] {
        let answer = try service.hearth(.get, "projects/project-a/audit?\(query)")
        #expect(answer.status == 200, "\(answer.text)")
        return try WireJSON.decode(AuditBodies.List.self, from: answer.body).entries ?? []
    }

    private func create(_ name: String, token: String? = nil) throws -> TestResponse {
        let token = try token ?? service.accessToken(service.a)
        return try service.call(
            .post, "/v1beta2/projects/project-a/models", headers: ["Authorization": "Bearer \(token)"],
            body: Array(#"{"displayName":"\#(name)"}"#.utf8))
    }

    @Test("Entries name what they are about, also a model that is gone, and who by a token's name")
    func names() throws {
        let token = try service.adminToken(.publisher)
        #expect(try create("flowers", token: token).status == 200)
        #expect(try create("birds").status == 200)
        #expect(
            try service.call(
                .delete, "/v1beta2/projects/project-a/models/1000001", headers: ["Authorization": "Bearer \(token)"]
            ).status == 200)
        let found = try entries("")
        #expect(found.map(\.subjectName) == ["flowers", "birds", "flowers"])
        #expect(found.map(\.actorName) == ["test", nil, "test"])
        #expect(try entries("model=flowers").map(\.action) == ["model.delete", "model.create"])
        #expect(try entries("model=1000002").map(\.subjectName) == ["birds"])
        #expect(try entries("model=fish").isEmpty)
        #expect(try entries("model=models/1000001").map(\.action) == ["model.delete", "model.create"])
        #expect(try entries("model=models/flowers").isEmpty && entries("model=models/").isEmpty)
        #expect(try entries("actor=admin").map(\.subjectName) == ["birds"])
        #expect(try entries("actor=test").count == 2)
    }

    @Test("An action's kind finds all of it; times are from one on and before another")
    func kindsAndTimes() throws {
        try service.services.metadata.write { store in
            for (second, action) in [(1, "model.create"), (2, "model"), (3, "models.x"), (4, "apiKey.end")] {
                try store.append(
                    AuditEntry(
                        projectID: "project-a", actor: "ann", action: action, subject: "s", detail: "",
                        atMicroseconds: Int64(second) * 1_000_000))
            }
        }
        #expect(try entries("action=model").map(\.action) == ["model", "model.create"])
        #expect(try entries("action=model.create").map(\.action) == ["model.create"])
        #expect(
            try entries("startTime=1970-01-01T00:00:02Z&endTime=1970-01-01T00:00:04Z").map(\.action)
                == ["models.x", "model"])
        #expect(try entries("pageSize=1&pageToken=4&action=model").map(\.action) == ["model"])
        try service.hearth(.get, "projects/project-a/audit?startTime=monday")
            .expectRefusal(400, "INVALID_ARGUMENT")
    }

    @Test("A refused change is written down once per attempt; a refused look is not, nor a stranger's")
    func refusedAttempts() throws {
        let viewer = try service.addAccount("viewer", .viewer)
        let token = try service.accessToken(viewer)
        try create("flowers", token: token).expectRefusal(403, "PERMISSION_DENIED")
        try create("flowers", token: "nonsense").expectRefusal(401, "UNAUTHENTICATED")
        try service.hearth(.get, "projects/project-a/audit", token: token).expectRefusal(403, "PERMISSION_DENIED")
        // Another project's owner tells that project's owner; what is nowhere, only the operators.
        try service.hearth(.delete, "projects/project-a/apiKeys/x", token: service.accessToken(service.b))
            .expectRefusal(403, "PERMISSION_DENIED")
        try service.hearth(.delete, "projects/nowhere/apiKeys/x", token: token).expectRefusal(403, "PERMISSION_DENIED")
        try service.awaitWriters()
        let found = try entries("action=access.refuse")
        #expect(found.map(\.actor) == [service.b.account.email, viewer.email])
        #expect(found.last?.subject == "POST /v1beta2/projects/project-a/models")
        #expect(found.last?.detail == "This call needs the role publisher; the caller is viewer.")
        #expect(try service.audit("").map(\.subject) == ["DELETE /hearth/v1/projects/nowhere/apiKeys/x"])
    }

    @Test("A refused change of a model is found with the model; nobody learns what another project's is called")
    func refusedModelChanges() throws {
        let viewer = try service.accessToken(service.addAccount("viewer", .viewer))
        #expect(try create("flowers").status == 200)
        func delete(_ project: String, _ token: String) throws -> TestResponse {
            try service.call(
                .delete, "/v1beta2/projects/\(project)/models/1000001", headers: ["Authorization": "Bearer \(token)"])
        }
        try delete("project-a", viewer).expectRefusal(403, "PERMISSION_DENIED")
        #expect(try delete("project-a", service.accessToken(service.a)).status == 200)
        try delete("project-b", service.adminToken(.viewer, in: "project-b")).expectRefusal(403, "PERMISSION_DENIED")
        try service.awaitWriters()
        #expect(try entries("model=flowers").map(\.action) == ["model.delete", "access.refuse", "model.create"])
        let others = try service.hearth(
            .get, "projects/project-b/audit", token: service.adminToken(.owner, in: "project-b"))
        #expect(others.text.contains("models/1000001") && !others.text.contains("flowers"))
    }

    @Test("Who tries again and again fills neither the log nor the disk")
    func manyAttempts() throws {
        let viewer = try service.addAccount("viewer", .viewer)
        let token = try service.accessToken(viewer)
        for _ in 0..<130 { #expect(try create("flowers", token: token).status == 403) }
        try service.awaitWriters()
        let found = try service.audit()
        #expect(found.count == 100)
        #expect(
            found.first?.detail.hasSuffix(
                "Further refusals of this caller are not logged until 2027-01-16T08:00:00.000123Z.") == true)
        service.time.advance(seconds: 86_400)
        // Its token has ended meanwhile.
        let fresh = try service.accessToken(viewer)
        #expect(try create("flowers", token: fresh).status == 403)
        try service.awaitWriters()
        #expect(try service.audit().count == 101)
    }
}

extension TestService {
    /// Comes back when what was on its way to the database is there: writers take turns.
    fileprivate func awaitWriters() throws {
        _ = try hearth(.post, "projects/project-a/apiKeys:lookup", #"{"key":"none"}"#)
    }
}
