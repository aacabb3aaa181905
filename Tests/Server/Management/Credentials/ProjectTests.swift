import Foundation
import HearthCalls
import HearthCatalog
import HearthCrypto
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthRouting
import HearthStorage
import HearthWire
import Testing

@testable import HearthManagementTestSupport

@Suite("Projects of one server") struct ProjectTests {
    @Test("A new project's credentials work at once, for it alone, and nobody else's do")
    func create() throws {
        let service = try TestService()
        let root = try service.adminToken(.owner, in: nil)
        let answer = try service.hearth(.post, "projects", #"{"projectId":"flowers-app"}"#, token: root)
        let made = try WireJSON.decode(ProjectBodies.CreateResponse.self, from: answer.body)
        #expect(made.project.projectId == "flowers-app" && made.project.projectNumber.count == 12)
        #expect(made.apiKey.appId.hasPrefix("1:\(made.project.projectNumber):ios:"))
        #expect(made.serviceAccountKey.hearthURL == "http://127.0.0.1:8080")

        let form = "grant_type=client_credentials&client_id=\(made.serviceAccountKey.clientID)"
        let access = try #require(
            try service.call(
                .post, "/token", body: Array("\(form)&client_secret=\(made.serviceAccountKey.clientSecret)".utf8)
            ).string("access_token"))
        func models(_ project: String) throws -> Int {
            try service.call(
                .get, "/v1beta2/projects/\(project)/models", headers: ["Authorization": "Bearer \(access)"]
            ).status
        }
        #expect(try models("flowers-app") == 200)
        #expect(try models("project-a") == 403, "its owner is no operator")
        #expect(try service.hearth(.post, "projects", #"{"projectId":"more-apps"}"#, token: access).status == 403)
        #expect(try service.hearth(.get, "projects/flowers-app").status == 403)

        let installed = try service.call(
            .post, "/v1/projects/flowers-app/installations",
            headers: ["X-Goog-Api-Key": try #require(made.apiKey.key)],
            body: Array(#"{"appId":"\#(made.apiKey.appId)"}"#.utf8))
        #expect(installed.status == 200)
        #expect(try service.hearth(.get, "projects/flowers-app", token: access).string("installations") == "1")
        #expect(
            try service.auditLines("flowers-app").map { $0.split(separator: " ").dropFirst().joined(separator: " ") }
                == ["project.create projects/flowers-app"])
    }

    @Test("Everybody sees the own project, operators see all")
    func list() throws {
        let service = try TestService()
        func ids(_ token: String) throws -> [String] {
            let answer = try service.hearth(.get, "projects", token: token)
            return try #require(try WireJSON.decode(ProjectBodies.List.self, from: answer.body).projects).map(
                \.projectId)
        }
        #expect(try ids(service.accessToken(service.a)) == ["project-a"])
        #expect(try ids(service.adminToken(.viewer, in: "project-b")) == ["project-b"])
        #expect(try ids(service.adminToken(.viewer, in: nil)) == ["project-a", "project-b"])
    }

    @Test("A taken id is 409, a bad one 400, and neither leaves anything behind")
    func refusals() throws {
        let service = try TestService()
        let root = try service.adminToken(.owner, in: nil)
        try service.hearth(.post, "projects", #"{"projectId":"project-b"}"#, token: root)
            .expectRefusal(409, "ALREADY_EXISTS", "There is a project 'project-b' already.")
        for body in [
            #"{"projectId":"short"}"#, #"{"projectId":"UPPER-case"}"#, #"{"projectId":"../../../x"}"#, "{}", "[]", "x",
        ] {
            try service.hearth(.post, "projects", body, token: root).expectRefusal(400, "INVALID_ARGUMENT")
        }
        #expect(try service.services.metadata.read { try $0.projects().count } == 2)
        #expect(try service.audit(nil).isEmpty)
    }

    @Test("A project without models can be removed by an operator, and its id used again")
    func delete() throws {
        let service = try TestService()
        let root = try service.adminToken(.owner, in: nil)
        let own = try service.accessToken(service.b)
        func install() throws -> Int {
            try service.call(
                .post, "/v1/projects/project-b/installations", headers: ["X-Goog-Api-Key": service.b.apiKey],
                body: Array(#"{"appId":"\#(service.b.apiKeyRecord.appID)"}"#.utf8)
            ).status
        }
        func models(_ method: HTTPMethod, _ id: String = "") throws -> Int {
            try service.call(
                method, "/v1beta2/projects/project-b/models\(id)", headers: ["Authorization": "Bearer \(own)"],
                body: Array(#"{"displayName":"flowers"}"#.utf8)
            ).status
        }
        #expect(try install() == 200 && models(.post) == 200)
        try service.hearth(.delete, "projects/project-b", token: own).expectRefusal(403, "PERMISSION_DENIED")
        try service.hearth(.delete, "projects/project-b", token: root).expectRefusal(
            400, "FAILED_PRECONDITION", "The project 'project-b' has models; delete them first.")
        #expect(try models(.delete, "/1000001") == 200)
        #expect(try service.hearth(.delete, "projects/project-b", token: root).status == 200)
        #expect(try install() == 403 && models(.get) == 401)
        try service.hearth(.delete, "projects/project-b", token: root).expectRefusal(404, "NOT_FOUND")
        #expect(try service.auditLines("project-b").last?.hasSuffix("project.delete projects/project-b") == true)
        #expect(try service.hearth(.post, "projects", #"{"projectId":"project-b"}"#, token: root).status == 200)
        #expect(try install() == 403 && models(.get) == 401, "what was removed stays so")
    }

    @Test("What was done in a deleted project is nothing to the owners of the next one with its id; operators see it")
    func reusedID() throws {
        let service = try TestService()
        let root = try service.adminToken(.owner, in: nil)
        let old = try service.adminToken(.owner, in: "project-b")
        #expect(
            try service.hearth(
                .post, "projects/project-b/adminTokens", #"{"name":"old","role":"viewer"}"#, token: old
            ).status == 200)
        #expect(try service.hearth(.delete, "projects/project-b", token: root).status == 200)
        service.time.advance(seconds: 1)
        #expect(try service.hearth(.post, "projects", #"{"projectId":"project-b"}"#, token: root).status == 200)
        func actions(_ token: String, _ query: String = "") throws -> [String] {
            let answer = try service.hearth(.get, "projects/project-b/audit\(query)", token: token)
            return try WireJSON.decode(AuditBodies.List.self, from: answer.body).entries?.map(\.action) ?? []
        }
        let new = try service.adminToken(.owner, in: "project-b")
        #expect(try actions(new) == ["project.create"])
        #expect(try actions(new, "?startTime=1970-01-01T00:00:00Z") == ["project.create"])
        #expect(try actions(root) == ["project.create", "project.delete", "adminToken.create"])
    }

    @Test("The project with the last operator stays")
    func lastOperator() throws {
        let service = try TestService()
        let root = try service.accessToken(service.addAccount("root", .owner, isOperator: true))
        try service.hearth(.delete, "projects/project-a", token: root).expectRefusal(400, "FAILED_PRECONDITION")
        _ = try service.addAccount("second", .owner, isOperator: true, of: service.b)
        #expect(try service.hearth(.delete, "projects/project-a", token: root).status == 200)
    }

    @Test("Only who may see all projects is told that one is not there")
    func unknown() throws {
        let service = try TestService()
        try service.hearth(.get, "projects/project-c").expectRefusal(
            403, "PERMISSION_DENIED", "The caller does not have permission for the project 'project-c'.")
        try service.hearth(.get, "projects/project-c", token: service.adminToken(.viewer, in: nil))
            .expectRefusal(404, "NOT_FOUND", "There is no project 'project-c'.")
    }
}
