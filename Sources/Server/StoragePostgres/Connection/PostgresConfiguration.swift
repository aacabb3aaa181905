import CPostgres
package import HearthStorage

/// Where a PostgreSQL database is, and how patient its users are.
package struct PostgresConfiguration: Sendable {
    /// In libpq's form: `postgresql://user:password@host:5432/database?sslmode=verify-full`. May contain a password.
    private let url: String
    /// The most connections of one server for changes, and for look-ups. One more waits for notifications.
    package var writers = 4
    package var readers = 8
    /// How long one statement may take, in seconds.
    package var statementSeconds = 30
    /// How long a statement waits for a lock, in seconds.
    package var lockSeconds = 10
    /// How long a caller waits for a free connection, in seconds.
    package var waitSeconds = 10
    /// How long a connection attempt may take, in seconds; at least 2.
    package var connectSeconds = 5
    /// How long the database may take to say its state, in seconds. After that it does not answer.
    package var answerSeconds = 3
    /// How often the store asks whether other servers have changed something, in seconds, in addition to their
    /// notifications.
    package var pollSeconds = 1.0
    /// How often the store looks who has the locks of servers, in seconds.
    package var lockLookSeconds = 10.0

    /// - Throws: `.io` if this is not the form of a PostgreSQL URL.
    package init(url: String) throws(StorageError) {
        guard Self.isURL(url) else {
            throw StorageError(
                .io, "A PostgreSQL database is written as postgresql://USER@HOST:PORT/DATABASE?sslmode=verify-full")
        }
        self.url = url
        _ = try Self.options(of: url)
    }

    /// Whether the URL contains a password, which settings show to administrators.
    package var hasPassword: Bool { (try? Self.options(of: url))?["password"] != nil }

    private static func isURL(_ text: String) -> Bool {
        text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
    }

    /// Names the database for people; without user and password.
    package var place: String {
        let options = (try? Self.options(of: url)) ?? [:]
        let database = options["dbname"] ?? options["user"] ?? "?"
        let host = options["host"] ?? options["hostaddr"] ?? "localhost"
        return "the database '\(database)' at \(host)\(options["port"].map { ":" + $0 } ?? "")"
    }

    /// The parameters of a connection, in libpq's words. Those before the URL are defaults that it may change.
    var parameters: [(String, String)] {
        [
            ("connect_timeout", "\(connectSeconds)"), ("keepalives_idle", "10"), ("keepalives_interval", "5"),
            ("keepalives_count", "3"), ("tcp_user_timeout", "\(statementSeconds * 1000)"),
            ("application_name", "hearth"), ("dbname", url), ("client_encoding", "UTF8"),
        ]
    }

    private static func options(of url: String) throws(StorageError) -> [String: String] {
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(url, &message) else {
            PQfreemem(message)
            // libpq's own text would repeat the URL with its password.
            throw StorageError(.io, "The PostgreSQL URL cannot be read. Percent-encode what is special in the password")
        }
        defer { PQconninfoFree(options) }
        var found: [String: String] = [:]
        var next = options
        while let keyword = next.pointee.keyword {
            if let value = next.pointee.val { found[String(cString: keyword)] = String(cString: value) }
            next += 1
        }
        return found
    }
}
