import Glibc
import HearthConcurrency
package import HearthStorage
import HearthStorageSQL
import Synchronization

/// `MetadataStore` in a PostgreSQL database, which any number of servers share.
///
/// A write is a serializable transaction: its result is the same as if writers took turns, also those of other servers.
/// PostgreSQL ends one of two transactions that would break this, and the store repeats it. So the closure of a write may
/// run several times, and must have no effect outside of the transaction that a repetition would double.
package final class PostgresMetadataStore: MetadataStore {
    /// The id of the data that the database contains. It never changes.
    package let folderID: String

    private let connector: PostgresConnector
    private let writers: PostgresPool
    private let readers: PostgresPool
    let changes: PostgresChanges
    private let servers: PostgresCoordination
    private let heartbeat: PostgresHeartbeat
    private let damage = Atomic(false)
    private let repeatedWrites = Atomic(0)
    private let readOnly = ReadOnlyWatch()

    /// Connects, brings the tables up to date, and begins to follow the changes of other servers.
    ///
    /// - Throws: `.unavailable` if the database cannot be reached, `.newer` if this program cannot use it any more.
    package init(_ configuration: PostgresConfiguration) throws(StorageError) {
        let (heartbeat, history) = (PostgresHeartbeat(answeredAt: .now), PostgresHistory())
        self.heartbeat = heartbeat
        connector = PostgresConnector { () throws(StorageError) in
            try PostgresConnection(configuration, heartbeat: heartbeat, history: history)
        }
        let waitSeconds = configuration.waitSeconds
        let writers = PostgresPool(
            "writers", connector, size: configuration.writers, waitSeconds: waitSeconds, heartbeat)
        let readers = PostgresPool(
            "readers", connector, size: configuration.readers, waitSeconds: waitSeconds, heartbeat)
        (self.writers, self.readers) = (writers, readers)
        let connection = try connector.connect()
        try Self.check(connection, configuration)
        try PostgresSchema.migrate(connection)
        let id = try connection.text("SELECT id FROM folder")
        guard let id, !id.isEmpty else { throw StorageError(.corrupt, "The database does not name its data") }
        folderID = id
        let asked = ContinuousClock.now
        let known = try ServingMark.read(connection)
        heartbeat.answer(at: asked)
        let servers = PostgresCoordination(connector, of: id, waitSeconds: waitSeconds, heartbeat)
        self.servers = servers
        changes = PostgresChanges(of: id, known, history) {
            readers.closeIdle()
            writers.closeIdle()
            servers.closeIdle()
        }
        PostgresListener(configuration, changes, servers, heartbeat).start()
    }

    deinit { changes.stop() }

    private static let oldestServer: Int32 = 130_000

    static func check(
        _ connection: PostgresConnection, _ configuration: PostgresConfiguration
    ) throws(StorageError) {
        guard connection.serverVersion >= oldestServer else {
            throw StorageError(
                .io,
                "\(configuration.place) is on PostgreSQL \(connection.serverVersion / 10_000); Hearth needs 13 or newer"
            )
        }
        let encoding = try connection.text("SHOW server_encoding")
        guard encoding == "UTF8" else {
            throw StorageError(
                .io,
                "\(configuration.place) has the encoding \(encoding ?? "?"). Create it anew with ENCODING 'UTF8'")
        }
    }

    /// What an operator should do so that no other role reaches the database; nil if nobody else may connect.
    package func accessAdvice() throws -> String? {
        try readers.withConnection { connection in
            let name = try connection.text(
                "SELECT quote_ident(current_database()) WHERE has_database_privilege('public', current_database(), 'CONNECT')"
            )
            return name.map {
                """
                Every role of PostgreSQL may connect to the database \($0), and can keep locks from the servers without any \
                right to a table. Run as its administrator: REVOKE CONNECT ON DATABASE \($0) FROM PUBLIC
                """
            }
        }
    }

    /// How many steps the schema of the database has taken. A newer server may have taken more than this one knows.
    package func schema() throws -> Int { try readers.withConnection { try PostgresSchema.state($0).steps } }

    package var servingRevision: UInt64 { changes.revision }

    package func currentServingRevision() throws -> UInt64 {
        guard heartbeat.isAnswering else { throw StorageError(.unavailable, "PostgreSQL does not answer") }
        try readers.withConnection { try changes.ask($0) }
        return changes.revision
    }

    package var replacement: DatabaseReplacement? { changes.replacement }

    package func onServingChange(_ body: @escaping @Sendable () -> Void) { changes.observe(body) }

    package var coordination: any ServerCoordination { servers }

    package var databaseUse: DatabaseUse? {
        DatabaseUse(
            pools: [readers.use, writers.use, servers.use],
            repeatedWrites: repeatedWrites.load(ordering: .relaxed))
    }

    package var contact: StoreContact? { heartbeat.contact }

    package var isDamaged: Bool { damage.load(ordering: .relaxed) }

    package var lastReadOnlyReason: String? { readOnly.lastReason }

    package var readOnlyReason: String? {
        readOnly.reason { try read { try $0.value(of: .readOnly) } }
    }

    package func read<Result>(_ body: (any MetadataReader) throws -> Result) throws -> Result {
        try read(asks: false, body)
    }

    package func readServed<Result>(_ body: (any MetadataReader) throws -> Result) throws -> Result {
        try read(asks: true, body)
    }

    /// - Parameter asks: whether the transaction says also up to which change it sees what is served. `changes` must know that
    ///   one, because this server will serve it.
    private func read<Result>(asks: Bool, _ body: (any MetadataReader) throws -> Result) throws -> Result {
        var isFirst = true
        while true {
            let outcome = try readers.withConnection { try self.readOnce($0, asks: asks, body) }
            switch outcome {
            case .done(let result): return result
            case .inDoubt(_, _, let error), .repeatable(let error): throw error
            case .lost(let error):
                // The server has ended the connection while nobody used it.
                guard isFirst else { throw error }
                isFirst = false
                readers.closeIdle()
            }
        }
    }

    private enum Outcome<Result> {
        case done(Result)
        /// Another transaction came in between.
        case repeatable(StorageError)
        /// The connection was lost before the commit.
        case lost(StorageError)
        /// The connection was lost during the commit.
        case inDoubt(Commit, Result, StorageError)
    }

    /// A transaction whose commit was sent.
    private struct Commit {
        /// PostgreSQL's number of the transaction.
        let transaction: String
        /// The mark that it drew; nil if it did not change what is served.
        let mark: String?
    }

    private func readOnce<Result>(
        _ connection: PostgresConnection, asks: Bool, _ body: (any MetadataReader) throws -> Result
    ) throws -> Outcome<Result> {
        defer { noteDamage(connection) }
        do {
            try connection.begin("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            if asks { try changes.ask(connection) }
            let result = try body(SQLTransaction(on: connection).store)
            try connection.execute("COMMIT")
            return .done(result)
        } catch {
            connection.rollback()
            if let failure = connection.failure, failure.isLost { return .lost(failure.error) }
            throw error
        }
    }

    package func write<Result>(_ body: (any MetadataWriter) throws -> Result) throws -> Result {
        let deadline = ContinuousClock.now + Self.writePatience
        var (attempt, losses) = (0, 0)
        while true {
            attempt += 1
            // Before the transaction begins, so that it is not looked up in another database than its own.
            let history = history
            switch try writers.withConnection({ try self.writeOnce($0, body) }) {
            case .done(let result):
                return result
            case .repeatable(let error):
                guard ContinuousClock.now < deadline else { throw error }
                repeatedWrites.add(1, ordering: .relaxed)
                Self.pause(attempt)
            case .lost(let error):
                losses += 1
                guard losses == 1 else { throw error }
                writers.closeIdle()
            case .inDoubt(let commit, let result, let error):
                writers.closeIdle()
                if try hasCommitted(commit, of: history, after: error) { return result }
            }
        }
    }

    /// How long a write is repeated while others come in between.
    private static let writePatience: Duration = .seconds(20)

    /// How long a restart of the database may take until the fate of a commit is known.
    private static let doubtPatience: Duration = .seconds(5)

    /// Two that got in each other's way must not do so again.
    private static func pause(_ attempt: Int) {
        usleep(UInt32.random(in: 0...(1000 << UInt32(min(attempt, 7)))))
    }

    private func writeOnce<Result>(
        _ connection: PostgresConnection, _ body: (any MetadataWriter) throws -> Result
    ) throws -> Outcome<Result> {
        defer { noteDamage(connection) }
        let result: Result
        let transaction: String
        let change: (before: ServingMark, after: ServingMark)?
        do {
            try connection.beginChange()
            let session = SQLTransaction(on: connection)
            result = try body(session.store)
            // The closure may have gone on after a refused change.
            if let failure = connection.failure { throw failure.error }
            try write(session.installationChanges, connection)
            change = session.changesServing ? try changes.announce(connection) : nil
            transaction = try connection.text("SELECT pg_current_xact_id_if_assigned()") ?? ""
        } catch {
            connection.rollback()
            return try Self.outcome(connection.failure, error)
        }
        do {
            try connection.commit()
        } catch {
            if !connection.isUsable, !transaction.isEmpty {
                return .inDoubt(Commit(transaction: transaction, mark: change?.after.mark), result, error)
            }
            connection.rollback()
            return try Self.outcome(connection.failure, error)
        }
        if let change { changes.take(own: change) }
        return .done(result)
    }

    private static func outcome<Result>(
        _ failure: PostgresFailure?, _ error: any Error
    ) throws -> Outcome<Result> {
        // The closure may have replaced the database's error by its own.
        guard let failure else { throw error }
        if failure.mustRepeat { return .repeatable(failure.error) }
        if failure.isLost { return .lost(failure.error) }
        throw error
    }

    /// Each connection counts in one of several rows, so that registrations on two of them rarely meet.
    private func write(_ changes: [String: Int], _ connection: PostgresConnection) throws {
        for (project, change) in changes where change != 0 {
            try connection.run(
                """
                INSERT INTO installation_count (project, slot, count) VALUES (?, pg_backend_pid() % 64, ?)
                ON CONFLICT (project, slot) DO UPDATE SET count = installation_count.count + excluded.count
                """, [.text(project), .integer(Int64(change))])
        }
    }

    /// Whether the transaction was stored, although the answer to its commit was lost.
    ///
    /// A copy that was promoted meanwhile may have given the number to a transaction of its own. If this server had not
    /// heard of anything that the copy lacks, only the mark shows it. Or the copy has not issued the number yet: then it lacks
    /// the transaction. A database that has issued the number issues only higher ones after it, also to the transaction that
    /// looks. A standby may still receive the transaction. It issues no numbers, and refuses the look.
    ///
    /// - Parameter history: the one in which it has its number. In another one that is the number of another transaction.
    /// - Throws: `.unavailable` if this cannot be found out in time.
    private func hasCommitted(_ commit: Commit, of history: UInt64, after error: StorageError) throws -> Bool {
        let (deadline, last) = (ContinuousClock.now + Self.writePatience, ContinuousClock.now + Self.doubtPatience)
        // A database that is away for longer must not hold the writers behind this one.
        while self.history == history, ContinuousClock.now < (heartbeat.isAnswering ? deadline : last) {
            let state = try? writers.withConnection { connection -> String? in
                try changes.ask(connection)
                guard self.history == history else { return nil }
                let state = try connection.text(
                    """
                    SELECT CASE WHEN pg_current_xact_id() <= asked.id THEN 'aborted' ELSE pg_xact_status(asked.id) END
                    FROM (SELECT CAST(CAST(? AS TEXT) AS xid8) AS id) AS asked
                    """, [.text(commit.transaction)])
                guard state == "committed", let mark = commit.mark else { return state }
                return try ServingMark.contains(mark, connection) ? state : "aborted"
            }
            switch state {
            case "committed": return true
            case "aborted": return false
            default: usleep(100_000)
            }
        }
        throw StorageError(
            .unavailable, "The connection to PostgreSQL was lost, so it is unknown whether the change was stored",
            cause: error)
    }

    private func noteDamage(_ connection: PostgresConnection) {
        if connection.failure?.error.code == .corrupt { damage.store(true, ordering: .relaxed) }
    }
}
