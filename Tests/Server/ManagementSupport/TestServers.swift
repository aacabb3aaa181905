import Foundation
import HearthManagement
import HearthStorageTestSupport
import Testing

/// Two services over one PostgreSQL database and one folder of model files, as behind a load balancer.
struct TestServers {
    /// Whether there is a database; `scripts/engines` starts one.
    static var canRun: Bool { TestDatabase.server != nil }

    let first: TestService
    let second: TestService

    init(database: TestDatabase? = nil, configure: (inout TestServices) -> Void = { _ in }) throws {
        first = try TestService(database: database ?? Self.makeDatabase(), configure: configure)
        second = try TestService(beside: first, configure: configure)
    }

    static func makeDatabase() throws -> TestDatabase { try TestDatabase() }

    var both: [TestService] { [first, second] }
}

/// Looks again and again until the condition holds; fails after a minute.
func waitUntil(_ what: String, _ condition: () throws -> Bool) throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while try !condition() {
        guard ContinuousClock.now < deadline else {
            Issue.record("not within a minute: \(what)")
            return
        }
        usleep(5_000)
    }
}
