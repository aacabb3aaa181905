import Foundation
import HearthStorageTestSupport
import HearthTestSupport
import Testing

/// Stands between a store and the test's PostgreSQL for as long as the object lives.
final class DatabaseRelay: Sendable {
    /// As the database's, and leads here.
    let url: String
    private let listener: RawServer

    /// - Parameter serve: runs for each connection, on a thread of its own, until the connection ends.
    init(
        to database: TestDatabase, serve: @escaping @Sendable (_ client: RawConnection, _ server: RawConnection) -> Void
    ) throws {
        let port = UInt16(try #require(URLComponents(string: database.url)?.port))
        listener = try RawServer { client in
            guard let server = RawConnection(connectingToPort: port) else { return }
            serve(client, server)
        }
        url = database.url.replacingOccurrences(of: ":\(port)/", with: ":\(listener.port)/")
    }
}
