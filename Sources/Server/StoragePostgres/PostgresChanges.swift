import Foundation
import Glibc
import HearthConcurrency
import HearthStorage
import HearthStorageSQL
import Synchronization

/// How far this server knows about the changes of all servers.
final class PostgresChanges: Sendable {
    private let known: Atomic<UInt64>
    private let isStopping = Atomic(false)
    private let observers = Lock<[@Sendable () -> Void]>([])

    /// Where servers of the same data tell each other. Other data may be in other schemas of the same database.
    let channel: String

    init(of folderID: String, _ revision: UInt64) {
        channel = "hearth_\(folderID)"
        known = Atomic(revision)
    }

    var revision: UInt64 { known.load(ordering: .acquiring) }

    /// Takes the highest of the revisions that arrive, in any order.
    func advance(to revision: UInt64) {
        let (old, new) = known.max(revision, ordering: .acquiringAndReleasing)
        guard new > old else { return }
        for observer in observers.withLock({ $0 }) { observer() }
    }

    /// Calls `body` whenever the revision has grown.
    func observe(_ body: @escaping @Sendable () -> Void) { observers.withLock { $0.append(body) } }

    var isStopped: Bool { isStopping.load(ordering: .relaxed) }
    func stop() { isStopping.store(true, ordering: .relaxed) }

    /// Raises the revision of what is served, as part of the transaction, and tells other servers when it is committed.
    ///
    /// The row is a point where changes of what is served meet: they get their revisions in the order of their commits.
    func announce(_ connection: PostgresConnection) throws(StorageError) -> UInt64 {
        let revision = try connection.row("UPDATE serving SET revision = revision + 1 RETURNING revision") {
            (row) throws(StorageError) in row.integer(0)
        }
        guard let revision else { throw StorageError(.corrupt, "The database has lost the revision of what is served") }
        _ = try connection.rows("SELECT pg_notify(?, ?)", [.text(channel), .text("\(revision)")]) {
            (_) throws(StorageError) in
        }
        return UInt64(revision)
    }

    static func revision(_ connection: PostgresConnection) throws(StorageError) -> UInt64 {
        let revision = try connection.row("SELECT revision FROM serving") { (row) throws(StorageError) in
            row.integer(0)
        }
        guard let revision else { throw StorageError(.corrupt, "The database has lost the revision of what is served") }
        return UInt64(revision)
    }
}

/// Follows the changes of other servers, and has this server's jobs, on a thread of its own: by notifications, and by asking from time to time,
/// because a notification is lost with its connection.
final class PostgresListener: Sendable {
    private let configuration: PostgresConfiguration
    private let changes: PostgresChanges
    private let servers: PostgresCoordination
    private let heartbeat: PostgresHeartbeat

    init(
        _ configuration: PostgresConfiguration, _ changes: PostgresChanges, _ servers: PostgresCoordination,
        _ heartbeat: PostgresHeartbeat
    ) {
        self.configuration = configuration
        self.changes = changes
        self.servers = servers
        self.heartbeat = heartbeat
    }

    func start() { Thread.detachNewThread { self.run() } }

    private func run() {
        var unheard = 0
        while !changes.isStopped {
            let wasHeard = (try? connect()).map(listen) ?? false
            servers.loseJobs()
            unheard = wasHeard ? 0 : unheard + 1
            // A session that ends is no sign, also before its first answer: the database may answer others. What counts is the
            // next one.
            if unheard < 2, heartbeat.age < .seconds(configuration.answerSeconds) {
                usleep(50_000)
                continue
            }
            heartbeat.miss()
            if !changes.isStopped { usleep(UInt32(configuration.pollSeconds * 500_000)) }
        }
    }

    private func connect() throws(StorageError) -> PostgresConnection {
        let connection = try PostgresConnection(configuration, patienceSeconds: configuration.answerSeconds)
        try connection.execute("LISTEN \(changes.channel)")
        return connection
    }

    /// Listens until the connection ends. Whatever the reason is, the next connection begins by asking.
    ///
    /// - Returns: whether the database has said its revision.
    private func listen(_ connection: PostgresConnection) -> Bool {
        var wasHeard = false
        try? listen(connection) { wasHeard = true }
        return wasHeard
    }

    private func listen(_ connection: PostgresConnection, whenHeard: () -> Void) throws(StorageError) {
        while !changes.isStopped {
            let asked = ContinuousClock.now
            changes.advance(to: try PostgresChanges.revision(connection))
            heartbeat.answer(at: asked)
            whenHeard()
            try servers.takeJobs(connection)
            var waiting = pollfd(fd: connection.socket, events: Int16(POLLIN), revents: 0)
            _ = poll(&waiting, 1, Int32(configuration.pollSeconds * 1000))
            for payload in try connection.notifications() {
                if let revision = UInt64(payload) { changes.advance(to: revision) }
            }
        }
    }
}
