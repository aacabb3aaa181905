import Foundation
import HearthConcurrency
import HearthStorage
import HearthStorageSQL

/// What servers over one database agree on, by locks and rows in it.
///
/// Jobs and the blob store's lock are advisory locks: the database releases them when the session of the server that has
/// them ends, and no clock takes part. A server that was cut off may still believe for some seconds that it does a job.
/// That is harmless, because each change of a job is a serializable transaction that looks again at what it changes.
final class PostgresCoordination: ServerCoordination {
    let isShared = true

    /// A name for this run of the server.
    private let server = UUID().uuidString.lowercased()
    /// Locks of other data in the same database have other numbers.
    private let space: Int32
    private let pool: PostgresPool
    private let jobs = Lock<Set<ServerJob>>([])
    private let watch = Lock(PostgresLockWatch())

    init(_ connector: PostgresConnector, of folderID: String, waitSeconds: Int, _ heartbeat: PostgresHeartbeat) {
        space = Self.space(of: folderID)
        pool = PostgresPool("coordination", connector, size: 2, waitSeconds: waitSeconds, heartbeat)
    }

    var use: DatabaseUse.Pool { pool.use }

    /// Closes the connections that no call uses.
    func closeIdle() { pool.closeIdle() }

    var lockProblems: [LockProblem] { watch.withLock { $0.problems } }

    func lookAtLocks(_ connection: PostgresConnection) throws(StorageError) {
        // Not while the watch is locked: threads of the HTTP server read it, and the database may take long to answer.
        let found = try PostgresLockWatch.look(space, held: jobs.withLock { $0 }, connection)
        watch.withLock { $0.note(found) }
    }

    func holds(_ job: ServerJob) -> Bool { jobs.withLock { $0.contains(job) } }

    /// Takes the jobs that no server has. They belong to the session of that connection, so it must stay open.
    func takeJobs(_ connection: PostgresConnection) throws(StorageError) {
        for job in ServerJob.allCases where !holds(job) {
            let isTaken = try connection.integer(
                "SELECT pg_try_advisory_lock(?, ?)", [.integer(Int64(space)), .int(job.rawValue)])
            if isTaken == 1 { _ = jobs.withLock { $0.insert(job) } }
        }
    }

    /// The session that had them is over.
    func loseJobs() { jobs.withLock { $0 = [] } }

    private static func space(of folderID: String) -> Int32 {
        Int32(bitPattern: UInt32(folderID.prefix(8), radix: 16) ?? 0)
    }

    /// Beside the numbers of jobs.
    static let blobLock: Int64 = 1000

    /// The two numbers of the blob store's lock.
    static func blobLock(of folderID: String) -> [SQLValue] {
        [.integer(Int64(space(of: folderID))), .integer(blobLock)]
    }

    func withBlobs<Result>(_ use: BlobUse, _ body: () throws -> Result) throws -> Result {
        try pool.withConnection { connection in
            try connection.begin("BEGIN")
            // The end of the transaction releases the lock, whatever happens.
            defer { connection.rollback() }
            guard try lockBlobs(use, connection) else {
                throw StorageError(
                    .unavailable,
                    "A backup, or an upload, uses the model files at this moment, so none were removed. A later round does it."
                )
            }
            return try body()
        }
    }

    /// One who removes bytes does not queue for the lock: a backup has it for a long time, and uploads of all servers would
    /// queue behind. Uploads have it for moments.
    private func lockBlobs(_ use: BlobUse, _ connection: PostgresConnection) throws(StorageError) -> Bool {
        let parameters: [SQLValue] = [.integer(Int64(space)), .integer(Self.blobLock)]
        switch use {
        case .adding:
            do throws(StorageError) {
                try connection.run("SELECT pg_advisory_xact_lock_shared(?, ?)", parameters)
            } catch {
                connection.rollback()
                throw strangerHoldingBlobs(connection, error) ?? error
            }
            return true
        case .removing:
            return try connection.integer("SELECT pg_try_advisory_xact_lock(?, ?)", parameters) == 1
        }
    }

    /// What to say of a wait in vain, if somebody who is no server caused it.
    private func strangerHoldingBlobs(_ connection: PostgresConnection, _ cause: StorageError) -> StorageError? {
        guard connection.isUsable,
            let stranger = try? PostgresLockWatch.sessions(space, connection).strangers
                .first(where: { $0.lock == Self.blobLock })
        else { return nil }
        return StorageError(
            .locked,
            """
            The role '\(stranger.holder.role)' of the database, which is no server's, keeps the lock that uploads need. An operator \
            must end its session: SELECT pg_terminate_backend(\(stranger.holder.session)). Then try again.
            """, cause: cause)
    }

    func claimValidation(of sha256: String) throws -> Bool {
        // Another server that writes the verdict at this moment has the row, so it is skipped.
        let claimed = try pool.withConnection { connection in
            try connection.run(
                """
                WITH file AS (
                    SELECT sha256 FROM validation WHERE sha256 = ? AND verdict = 'pending' FOR UPDATE SKIP LOCKED)
                INSERT INTO validation_claim (sha256, server, ends_at)
                    SELECT sha256, ?, clock_timestamp() + make_interval(secs => ?) FROM file
                ON CONFLICT (sha256) DO UPDATE SET server = excluded.server, ends_at = excluded.ends_at
                    WHERE validation_claim.ends_at < clock_timestamp() OR validation_claim.server = excluded.server
                """, [.text(sha256), .text(server), .integer(Int64(ValidationClaim.seconds))])
        }
        return claimed == 1
    }

    func renewClaims(of hashes: [String]) throws {
        guard !hashes.isEmpty else { return }
        try pool.withConnection { connection in
            for sha256 in hashes {
                try connection.run(
                    """
                    UPDATE validation_claim SET ends_at = clock_timestamp() + make_interval(secs => ?)
                    WHERE sha256 = ? AND server = ?
                    """, [.integer(Int64(ValidationClaim.seconds)), .text(sha256), .text(server)])
            }
        }
    }

    func releaseClaim(of sha256: String) {
        // A claim that cannot be released ends by itself.
        _ = try? pool.withConnection { connection in
            try connection.run(
                "DELETE FROM validation_claim WHERE sha256 = ? AND server = ?", [.text(sha256), .text(server)])
        }
    }

    func validationsElsewhere() throws -> Set<String> {
        let hashes = try pool.withConnection { connection in
            try connection.texts(
                "SELECT sha256 FROM validation_claim WHERE server <> ? AND ends_at > clock_timestamp()",
                [.text(server)])
        }
        return Set(hashes)
    }
}
