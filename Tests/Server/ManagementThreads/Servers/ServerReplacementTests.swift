import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthStorage
import HearthStorageTestSupport
import Testing

@testable import HearthDevicePlane
@testable import HearthManagement
@testable import HearthManagementTestSupport
@testable import HearthRouting
@testable import HearthServing

/// Two servers whose database becomes another one while they run: an earlier state of it, with other changes since.
@Suite("Several servers: another database", .enabled(if: TestServers.canRun, "TEST_POSTGRES is not set"))
struct ServerReplacementTests {
    private let database: TestDatabase
    private let servers: TestServers

    init() throws {
        database = try TestServers.makeDatabase()
        servers = try TestServers(database: database)
    }

    private static func template(_ value: String) -> String {
        #"{"parameters":{"a":{"defaultValue":{"value":"\#(value)"}}}}"#
    }

    /// What the database lacks of the last `changes`, `sql` takes away.
    private func goBack(by changes: Int, _ sql: String = "SELECT 1") throws {
        for server in servers.both { _ = try server.services.metadata.currentServingRevision() }
        try TestDatabase.administer(
            """
            SET search_path = \(database.name); \(sql);
            UPDATE serving SET revision = revision - \(changes)
            """)
    }

    @Test("A token that is revoked after the database went back is dead at each server, which says what happened")
    func revocation() throws {
        let (first, second) = (servers.first, servers.second)
        let token = try first.adminToken(.viewer)
        for server in servers.both {
            #expect(try server.hearth(.get, "projects/project-a", token: token).status == 200)
        }
        for _ in 0..<3 { _ = try first.adminToken(.viewer) }
        try goBack(by: 3)
        let id = try #require(NewAdminToken.id(in: token))
        #expect(try second.hearthAdmin(.delete, "adminTokens/\(id)").status == 200)
        for server in servers.both {
            try waitUntil("it is refused") { try server.hearth(.get, "projects/project-a", token: token).status == 401 }
            let ready = try server.call(.get, "/readyz")
            #expect(
                ready.status == 200 && ready.text.contains("note: ")
                    && ready.text.contains("does not contain the change"))
            let failures = try server.handler.refreshServing().filter { message in
                if case .failure(let text) = message { text.contains("does not contain the change") } else { false }
            }
            #expect(failures.count == 1)
            #expect(try server.handler.refreshServing().isEmpty, "it is said once")
        }
    }

    @Test("A template with the number of one that is gone is served as it was written")
    func template() throws {
        let (first, second) = (servers.first, servers.second)
        try first.putTemplate(Self.template("kept"))
        try first.putTemplate(Self.template("gone"))
        for server in servers.both {
            try waitUntil("it is served") { try server.fetchAsIOS().text.contains(#""a":"gone""#) }
        }
        try goBack(by: 1, "DELETE FROM config_template WHERE number = 2")
        for server in servers.both {
            try waitUntil("the earlier one is served") { try server.fetchAsIOS().text.contains(#""a":"kept""#) }
        }
        try second.putTemplate(Self.template("new"))
        for server in servers.both {
            try waitUntil("the new one is served") { try server.fetchAsIOS().text.contains(#""a":"new""#) }
        }
    }

    @Test("A template with the number of one that is gone is served also if nobody saw the database without it")
    func templateAtOnce() throws {
        let first = servers.first
        try first.putTemplate(Self.template("kept"))
        try first.putTemplate(Self.template("gone"))
        for server in servers.both {
            try waitUntil("it is served") { try server.fetchAsIOS().text.contains(#""a":"gone""#) }
        }
        try goBack(
            by: 0, "UPDATE config_template SET body = replace(body, 'gone', 'other') WHERE number = 2")
        for server in servers.both {
            try waitUntil("the other one is served") { try server.fetchAsIOS().text.contains(#""a":"other""#) }
        }
    }

    @Test("Devices that wait hear of a template with the number of one that is gone")
    func waitingDevices() throws {
        func message(_ number: Int) -> String { "{\"latestTemplateVersionNumber\":\"\(number)\"}\r\n" }
        try servers.first.putTemplate(Self.template("kept"))
        let devices = try servers.both.map { try $0.listen(lastKnown: 1) }
        for device in devices { #expect(device.next() == "[") }
        try servers.first.putTemplate(Self.template("gone"))
        for device in devices { #expect(device.next() == message(2)) }
        try goBack(by: 1, "DELETE FROM config_template WHERE number = 2")
        for device in devices { #expect(device.next() == ",\r\n" + message(1)) }
        try servers.second.putTemplate(Self.template("new"))
        for device in devices { #expect(device.next() == ",\r\n" + message(2)) }
    }
}
