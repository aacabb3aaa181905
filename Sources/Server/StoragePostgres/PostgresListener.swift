import Foundation
import Glibc
import HearthStorage

/// Follows the changes of other servers, and has this server's jobs, on a thread of its own: it asks from time to time, and
/// when a notification wakes it.
///
/// A notification is only a hint. Whoever may connect to the database can send one, with any text, so its text is not read,
/// and many of them cause no more questions than a few. And it is lost with its connection.
final class PostgresListener: Sendable {
    /// The shortest time between two questions.
    static let pause: Duration = .milliseconds(50)

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
        let connection = try PostgresConnection(
            configuration, history: changes.history, patienceSeconds: configuration.answerSeconds)
        try connection.execute("LISTEN \(changes.channel)")
        return connection
    }

    /// Listens until the connection ends, or until the database is another one, also if another connection has found that out:
    /// this one, and the jobs that it has, may be in the former database. Whatever the reason is, the next connection begins by
    /// asking.
    ///
    /// - Returns: whether the database has said its state.
    private func listen(_ connection: PostgresConnection) -> Bool {
        var wasHeard = false
        try? listen(connection) { wasHeard = true }
        return wasHeard
    }

    private func listen(_ connection: PostgresConnection, whenHeard: () -> Void) throws(StorageError) {
        var jobsAt = ContinuousClock.now
        var locksAt = jobsAt
        while !changes.isStopped {
            let asked = ContinuousClock.now
            try changes.ask(connection)
            heartbeat.answer(at: asked)
            whenHeard()
            guard !connection.isOutdated else { return }
            if asked >= jobsAt {
                try servers.takeJobs(connection)
                jobsAt = asked + .seconds(configuration.pollSeconds)
            }
            if asked >= locksAt {
                try servers.lookAtLocks(connection)
                locksAt = asked + .seconds(configuration.lockLookSeconds)
            }
            var waiting = pollfd(fd: connection.socket, events: Int16(POLLIN), revents: 0)
            _ = poll(&waiting, 1, Int32(configuration.pollSeconds * 1000))
            let rest = Self.pause - (ContinuousClock.now - asked)
            if rest > .zero { usleep(UInt32(rest / .microseconds(1))) }
            try connection.dropNotifications()
        }
    }
}
