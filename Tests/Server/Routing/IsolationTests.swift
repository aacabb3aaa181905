import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthWire
import Testing

@testable import HearthManagementTestSupport

@Suite("Projects are apart") struct IsolationTests {
    @Test("One project's token opens nothing of another")
    func tokens() throws {
        let service = try TestService()
        let id = try service.makeModel("flowers", FakeProbe.ok(), isPublished: true)
        let calls: [(HTTPMethod, String)] = [
            (.get, "models"), (.post, "models"), (.get, "models/\(id)"), (.patch, "models/\(id)"),
            (.delete, "models/\(id)"),
        ]
        for (method, path) in calls {
            let answer = try service.call(
                method, "/v1beta2/projects/project-a/\(path)",
                headers: ["Authorization": "Bearer \(try service.accessToken(service.b))"],
                body: Array(#"{"displayName":"mine"}"#.utf8))
            answer.expectRefusal(
                403, "PERMISSION_DENIED", "The caller does not have permission for the project 'project-a'.")
            #expect(answer.bodyBytesRead == 0)
        }
        #expect(try service.admin(.get, "models/\(id)").string("displayName") == "flowers")
    }

    @Test("One project's ids, names and files are nothing in another")
    func records() throws {
        let service = try TestService()
        let id = try service.makeModel("flowers", FakeProbe.ok(), isPublished: true)
        let b = service.b
        try service.admin(.get, "models/\(id)", as: b).expectRefusal(404, "NOT_FOUND")
        try service.admin(.delete, "models/\(id)", as: b).expectRefusal(404, "NOT_FOUND")
        try service.admin(.patch, "models/\(id)", "{}", as: b)
            .expectFailedOperation(5, "Model 'projects/project-b/models/\(id)' was not found")
        #expect(try service.admin(.get, "models", as: b).text == "{}")
        try service.admin(
            .post, "models", #"{"displayName":"x","tfliteModel":{"gcsTfliteUri":"\#(service.uri("flowers"))"}}"#, as: b
        ).expectRefusal(
            400, "INVALID_ARGUMENT", "There is no uploaded file \(service.uri("flowers")); upload it first.")
        #expect(try service.makeModel("flowers", as: b) != id, "a name may be used in both")
        #expect(try service.admin(.get, "models/\(id)").string("displayName") == "flowers")
    }

    @Test("A device of one project sees nothing of another, with whatever mix of key and token")
    func devices() throws {
        let service = try TestService()
        try service.makeModel("flowers", FakeProbe.ok(), isPublished: true)
        func status(_ project: NewProject, key: NewProject, token: NewProject) throws -> Int {
            try service.call(
                .get, "/v1beta2/projects/\(project.project.id)/models/flowers:download?key=\(key.apiKey)",
                headers: ["x-goog-firebase-installations-auth": try service.installationToken(token)]
            ).status
        }
        let (a, b) = (service.a, service.b)
        #expect(try status(a, key: a, token: a) == 200)
        #expect(try status(a, key: b, token: b) == 403)
        #expect(try status(a, key: b, token: a) == 403)
        #expect(try status(a, key: a, token: b) == 401)
        #expect(try status(b, key: b, token: b) == 404)
    }

    @Test("A project that is not there looks like a wrong key, or a missing right")
    func unknownProject() throws {
        let service = try TestService()
        try service.call(.get, "/v1beta2/projects/project-c/models/x:download?key=\(service.a.apiKey)")
            .expectRefusal(
                403, "PERMISSION_DENIED", "API key not valid. Please pass the API key of this project.")
        try service.call(
            .get, "/v1beta2/projects/project-c/models",
            headers: ["Authorization": "Bearer \(try service.accessToken(service.a))"]
        ).expectRefusal(
            403, "PERMISSION_DENIED", "The caller does not have permission for the project 'project-c'.")
    }
}
