import Dispatch
import HearthConcurrency
import HearthStorage
import Synchronization

/// At most so many connections, which stay open between calls.
final class PostgresPool: Sendable {
    /// A connection that moves between threads, used by one thread at a time.
    ///
    /// `@unchecked Sendable`: either the pool (inside its lock) or the one call that took it owns a lease, and libpq
    /// allows a connection to move between threads as long as calls do not overlap.
    private struct Lease: @unchecked Sendable {
        let connection: PostgresConnection
    }

    private let name: String
    private let size: Int
    private let connector: PostgresConnector
    private let waitSeconds: Int
    private let heartbeat: PostgresHeartbeat
    private let places: DispatchSemaphore
    private let idle = Lock<[Lease]>([])
    private let inUse = Atomic(0)
    private let refusals = Atomic(0)

    /// - Parameter name: for metrics.
    init(
        _ name: String, _ connector: PostgresConnector, size: Int, waitSeconds: Int, _ heartbeat: PostgresHeartbeat
    ) {
        self.name = name
        self.connector = connector
        self.heartbeat = heartbeat
        self.size = size
        self.waitSeconds = waitSeconds
        places = DispatchSemaphore(value: size)
    }

    /// Runs `body` with a connection of the pool, or with a new one.
    ///
    /// - Throws: `.unavailable` if all are in use for too long, or the database cannot be reached.
    func withConnection<Result>(_ body: (PostgresConnection) throws -> Result) throws -> Result {
        try heartbeat.check()
        guard places.wait(timeout: .now() + .seconds(waitSeconds)) == .success else {
            refusals.add(1, ordering: .relaxed)
            throw StorageError(
                .unavailable, "All \(size) connections to PostgreSQL were in use for \(waitSeconds) seconds")
        }
        inUse.add(1, ordering: .relaxed)
        defer {
            inUse.subtract(1, ordering: .relaxed)
            places.signal()
        }
        // Those who had the places before may have found out that nothing comes.
        try heartbeat.check()
        let known = idle.withLock { idle in
            idle.removeAll { $0.connection.isOutdated }
            return idle.popLast()
        }
        let lease = try known ?? Lease(connection: connector.connect())
        // Before the next caller can get a place.
        defer { giveBack(lease) }
        return try body(lease.connection)
    }

    private func giveBack(_ lease: Lease) {
        guard lease.connection.isUsable, !lease.connection.isOutdated else { return }
        idle.withLock { $0.append(lease) }
    }

    var use: DatabaseUse.Pool {
        DatabaseUse.Pool(
            name: name, limit: size, inUse: inUse.load(ordering: .relaxed), idle: idle.withLock { $0.count },
            refusals: refusals.load(ordering: .relaxed))
    }

    /// Closes the connections that no call uses: after the server has ended one, the others are likely over too.
    func closeIdle() { idle.withLock { $0 = [] } }
}
