import Foundation
import Testing

@testable package import HearthStoragePostgres

/// An empty schema in a PostgreSQL database, removed with the object: it is as good as a database, and made much faster.
package final class TestDatabase: Sendable {
    /// The URL of a server where the tests may make schemas; `scripts/engines` starts one.
    package static let server = ProcessInfo.processInfo.environment["TEST_POSTGRES"].flatMap { $0.isEmpty ? nil : $0 }

    package let url: String
    /// Of the schema, and of the sessions that use it.
    package let name: String

    package init() throws {
        let server = try #require(Self.server)
        name = "hearth_test_" + UUID().uuidString.lowercased().filter { $0 != "-" }
        url = server + (server.contains("?") ? "&" : "?") + "options=-csearch_path%3D\(name)&application_name=\(name)"
        try Self.administer("CREATE SCHEMA \(name)")
    }

    deinit { try? Self.administer("DROP SCHEMA \(name) CASCADE") }

    package var configuration: PostgresConfiguration {
        get throws { try PostgresConfiguration(url: url) }
    }

    package static func administer(_ sql: String) throws {
        try PostgresConnection(PostgresConfiguration(url: #require(server))).execute(sql)
    }
}
