import Foundation
import HearthAPI
import HearthCatalog
import HearthCrypto
import HearthHTTP
import HearthIdentity
import HearthStorage
import HearthWire
import Testing

@Suite("Projects of one server") struct ProjectTests {
    @Test("A new project's credentials work at once, for it alone, and nobody else's do", arguments: Backend.allCases)
    func create(backend: Backend) throws {
        let service = try TestService(backend)
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

    @Test("Only who may see all projects is told that one is not there")
    func unknown() throws {
        let service = try TestService()
        try service.hearth(.get, "projects/project-c").expectRefusal(
            403, "PERMISSION_DENIED", "The caller does not have permission for the project 'project-c'.")
        try service.hearth(.get, "projects/project-c", token: service.adminToken(.viewer, in: nil))
            .expectRefusal(404, "NOT_FOUND", "There is no project 'project-c'.")
    }
}
