import HearthConcurrency
import HearthHTTP
import HearthIdentity

/// Which secrets are those of sessions, as far as this server has seen them. Only such a secret has a queue of its own
/// for its pages: anybody can invent any number of others. Safe to call from any thread.
final class KnownSessions: Sendable {
    /// Only people who signed in add to it.
    private static let limit = 10_000

    private let hashes = Lock(Set<String>())

    /// Notes whether a session with that secret was found.
    func note(_ secret: String, isSession: Bool) {
        let hash = ConsoleSecret.hash(of: secret)
        hashes.withLock { hashes in
            guard isSession else {
                hashes.remove(hash)
                return
            }
            // Those that are still in use come back with their next pages.
            if hashes.insert(hash).inserted, hashes.count > Self.limit { hashes = [hash] }
        }
    }

    /// The queue in which a page waits: that of its session, or that of the client's network if no session is known to
    /// have the secret. The id of a session is no secret, so a hash of the whole secret names the queue.
    func queue(of secret: String, _ head: RequestHead) -> String {
        let hash = ConsoleSecret.hash(of: secret)
        return hashes.withLock { $0.contains(hash) } ? hash : PageServer.queue("page", of: head)
    }
}
