import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthStorage
import HearthWire
import Testing

@testable import HearthDevicePlane
@testable import HearthManagement
@testable import HearthManagementTestSupport
@testable import HearthRouting
@testable import HearthServing

/// What a server answers whose records must not be changed.
@Suite("A read-only server") struct ReadOnlyTests {
    private let service: TestService

    init() throws { service = try TestService() }

    private func register() throws -> TestResponse {
        let app = service.a.apiKeyRecord.appID
        let body = #"{"fid":"\#(TestService.fid)","appId":"\#(app)","authVersion":"FIS_v2","sdkVersion":"i:1"}"#
        return try service.call(
            .post, "/v1/projects/project-a/installations", headers: ["X-Goog-Api-Key": service.a.apiKey],
            body: Array(body.utf8))
    }

    @Test("Changes are refused for a while and say why; devices that are known are answered")
    func refusals() throws {
        try service.setReadOnly(true)
        let answer = try register()
        #expect(answer.status == 503)
        #expect(answer.headers["Retry-After"] == "60")
        #expect(answer.text.contains("read-only since 2027-01-15T08:00:00Z (it is copied)"))
        #expect(try service.fetch(.ios()).status == 200)
        let ready = try service.call(.get, "/readyz")
        #expect(ready.status == 200)
        #expect(ready.text.contains("note: The server is read-only since 2027-01-15T08:00:00Z (it is copied)"))
        try service.setReadOnly(false)
        #expect(try register().status == 200)
    }
}
