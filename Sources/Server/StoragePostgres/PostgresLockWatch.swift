import HearthConcurrency
import HearthStorage
import HearthStorageSQL

/// Looks who has the locks that servers need.
///
/// Their numbers are no secret: whoever may connect to the database sees them in `pg_locks`, and can take such a lock
/// without any right to a table. So a server says whose session has one.
struct PostgresLockWatch: Sendable {
    /// A session of a role that is no server's.
    struct Stranger: Sendable, Hashable {
        let lock: Int64
        let holder: LockProblem.Holder
        /// False while it waits for the lock.
        let hasIt: Bool
    }

    /// All who have or want one of the locks of these servers. A role that may change what is served is a server's.
    static func sessions(
        _ space: Int32, _ connection: PostgresConnection
    ) throws(StorageError) -> (taken: Set<Int64>, strangers: [Stranger]) {
        let sessions = try connection.rows(
            """
            SELECT CAST(locks.objid AS BIGINT) AS lock, sessions.usename, locks.pid, locks.granted,
                coalesce(has_table_privilege(sessions.usesysid, 'serving', 'UPDATE'), false) AS is_server
            FROM pg_locks AS locks JOIN pg_stat_activity AS sessions ON sessions.pid = locks.pid
            WHERE locks.locktype = 'advisory' AND locks.objsubid = 2 AND CAST(locks.classid AS BIGINT) = ?
                AND locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())
            """, [.integer(Int64(UInt32(bitPattern: space)))]
        ) { row in
            (
                Stranger(
                    lock: row.integer(.lock),
                    holder: LockProblem.Holder(role: row.text(.usename), session: row.int(.pid)),
                    hasIt: row.bool(.granted)), row.bool(.is_server)
            )
        }
        return (
            Set(sessions.filter(\.0.hasIt).map(\.0.lock)),
            sessions.filter { !$0.1 }.map(\.0).sorted { ($0.lock, $0.holder.session) < ($1.lock, $1.holder.session) }
        )
    }

    /// What is wrong now.
    ///
    /// - Parameter held: the jobs of this server.
    static func look(
        _ space: Int32, held: Set<ServerJob>, _ connection: PostgresConnection
    ) throws(StorageError) -> [LockProblem] {
        let (taken, strangers) = try sessions(space, connection)
        var found: [LockProblem] = []
        for job in ServerJob.allCases where !held.contains(job) {
            let number = Int64(job.rawValue)
            if let stranger = strangers.first(where: { $0.lock == number && $0.hasIt }) {
                found.append(LockProblem(.job(job), stranger.holder))
            } else if !taken.contains(number) {
                found.append(LockProblem(.job(job), nil))
            }
        }
        // Also one who waits: others queue behind.
        if let stranger = strangers.first(where: { $0.lock == PostgresCoordination.blobLock }) {
            found.append(LockProblem(.modelFiles, stranger.holder))
        }
        return found
    }

    /// What was wrong at the last look. A lock may be free for a moment while it passes from one server to another.
    private var suspects: Set<LockProblem> = []
    /// What was wrong at the last two looks.
    private(set) var problems: [LockProblem] = []

    /// - Parameter found: what was wrong at this look.
    mutating func note(_ found: [LockProblem]) {
        problems = found.filter(suspects.contains)
        suspects = Set(found)
    }
}
