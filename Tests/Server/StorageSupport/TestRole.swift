import Foundation
package import HearthStoragePostgres
import Testing

/// A role of the test's PostgreSQL that may connect, as every role may, and has no right to any table. Removed with the
/// object.
package final class TestRole: Sendable {
    package let name: String
    package let configuration: PostgresConfiguration

    package init() throws {
        name = "stranger_" + UUID().uuidString.lowercased().filter { $0 != "-" }
        let server = try #require(TestDatabase.server)
        var components = try #require(URLComponents(string: server))
        components.user = name
        configuration = try PostgresConfiguration(url: #require(components.string))
        try TestDatabase.administer("CREATE ROLE \(name) LOGIN")
    }

    deinit { try? TestDatabase.administer("DROP ROLE \(name)") }
}
