import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthRouting
import HearthWire
import Testing

@testable import HearthManagementTestSupport

@Suite("The state of the server") struct ServerStatusTests {
    private static func status() -> ServerBodies.Status {
        var status = ServerBodies.Status(version: "9.9", startTime: "2027-01-15T08:00:00Z", console: true)
        (status.schema, status.engine) = (3, "LiteRT 7")
        status.settings = [.init(name: "data", value: "/srv", source: "--data", summary: "Folder.")]
        return status
    }

    private func status(_ service: TestService, _ token: String) throws -> ServerBodies.Status {
        let answer = try service.hearth(.get, "server", token: token)
        #expect(answer.status == 200, "\(answer.text)")
        return try WireJSON.decode(ServerBodies.Status.self, from: answer.body)
    }

    @Test("Operators get all of it")
    func operators() throws {
        let service = try TestService { $0.serverStatus = { Self.status() } }
        let token = try service.adminToken(.owner, in: nil)
        let found = try status(service, token)
        #expect(found.version == "9.9" && found.engine == "LiteRT 7" && found.settings?.count == 1)
        #expect(found.validationQueue == 0 && found.runningProbes == 0 && found.updateStreams == 0)
        #expect(found.consoleSessions == 0 && found.problems == nil && found.notes == nil)
        #expect(found.deviceUrl == "http://127.0.0.1:8080")
    }

    @Test(
        "Others get the version and where devices reach the server", arguments: Role.allCases.filter { $0 != .mirror })
    func others(role: Role) throws {
        let service = try TestService { $0.serverStatus = { Self.status() } }
        var expected = ServerBodies.Status(version: "9.9", startTime: "2027-01-15T08:00:00Z", console: true)
        expected.deviceUrl = "http://127.0.0.1:8080"
        #expect(try status(service, service.adminToken(role)) == expected)
        if role != .owner { #expect(try status(service, service.adminToken(role, in: nil)) == expected) }
        #expect(try service.call(.get, "/hearth/v1/server").status == 401)
    }

    @Test("The address of devices is not that of people")
    func addresses() throws {
        let service = try TestService { services in
            services.localAdminURL = { "http://127.0.0.1:9000" }
        }
        let answer = try service.call(
            .get, "/hearth/v1/server",
            headers: ["Authorization": "Bearer \(try service.adminToken(.viewer))", "Host": "127.0.0.1:9000"])
        #expect(answer.string("deviceUrl") == "http://127.0.0.1:8080")
    }
}
