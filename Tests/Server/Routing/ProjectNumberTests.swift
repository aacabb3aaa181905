import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthManagement
import Testing

@testable import HearthManagementTestSupport

@Suite("A project named by its number") struct ProjectNumberTests {
    private let service: TestService
    private var number: Int64 { service.a.project.number }

    init() throws { service = try TestService() }

    @Test("Devices get models and registrations with it, and its API key is asked for")
    func devices() throws {
        try service.makeModel("flowers", FakeProbe.ok(), isPublished: true)
        func info(_ project: String, key: String) throws -> TestResponse {
            try service.call(
                .get, "/v1beta2/projects/\(project)/models/flowers:download?key=\(key)",
                headers: ["x-goog-firebase-installations-auth": service.installationToken(service.a)])
        }
        let byID = try info("project-a", key: service.a.apiKey)
        let byNumber = try info("\(number)", key: service.a.apiKey)
        #expect(byNumber.status == 200 && byNumber.body == byID.body)
        for key in [service.b.apiKey, "x"] {
            try info("\(number)", key: key).expectRefusal(
                403, "PERMISSION_DENIED", "API key not valid. Please pass the API key of this project.")
        }
        #expect(try info("\(number + 1)", key: service.a.apiKey).status == 403)
        let registration = try service.call(
            .post, "/v1/projects/\(number)/installations", headers: ["x-goog-api-key": service.a.apiKey],
            body: Array(#"{"appId":"\#(service.a.apiKeyRecord.appID)","authVersion":"FIS_v2"}"#.utf8))
        #expect(registration.status == 200 && registration.string("refreshToken") != nil)
    }

    @Test(
        "Tools get the same answers with it",
        arguments: [
            "v1beta2/projects/%/models", "hearth/v1/projects/%", "hearth/v1/projects/%/apiKeys",
            "v1/projects/%/remoteConfig",
            "hearth/v1/projects/%/audit",
        ])
    func tools(pattern: String) throws {
        try service.makeModel("flowers", FakeProbe.ok())
        func get(_ project: String) throws -> TestResponse {
            try service.call(.get, "/" + pattern.replacing("%", with: project), headers: service.bearer())
        }
        let byID = try get("project-a")
        let byNumber = try get("\(number)")
        #expect(byID.status == 200 && byNumber.status == 200 && byNumber.body == byID.body, "\(byNumber.text)")
    }

    @Test("Who may not see a project does not learn its id from its number, and its owners hear of the attempt")
    func foreign() throws {
        let answer = try service.call(
            .post, "/v1beta2/projects/\(number)/models", headers: service.bearer(service.b), body: Array("{}".utf8))
        answer.expectRefusal(
            403, "PERMISSION_DENIED", "The caller does not have permission for the project '\(number)'.")
        try waitUntil("the refusal is in the project's audit log") {
            try service.audit("project-a").contains { $0.action == "access.refuse" }
        }
    }
}
