import HearthStorage
import Synchronization

/// Counts the requests of a client and its copies. Any thread may use it.
final class S3Counters: Sendable {
    private let sent = Atomic(0)
    private let again = Atomic(0)
    private let failed = Atomic(0)

    var requests: Int { sent.load(ordering: .relaxed) }
    var retries: Int { again.load(ordering: .relaxed) }
    var failures: Int { failed.load(ordering: .relaxed) }

    func countRequest(isRetry: Bool) {
        sent.add(1, ordering: .relaxed)
        if isRetry { again.add(1, ordering: .relaxed) }
    }

    func countFailure(_ error: StorageError) {
        // Whether an object exists is a question, not a fault.
        if error.code != .notFound { failed.add(1, ordering: .relaxed) }
    }
}
