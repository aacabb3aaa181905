import HearthConcurrency
import HearthStorage
import Synchronization

/// Whether the store answers, as the last probe found out. All other requests rely on that, because each would otherwise wait
/// for a store that does not come.
final class S3Contact: Sendable {
    private let answering = Atomic(true)
    /// Why the last probe failed.
    let failure = Lock<String?>(nil)

    var isAnswering: Bool {
        get { answering.load(ordering: .relaxed) }
        set { answering.store(newValue, ordering: .relaxed) }
    }

    /// - Throws: `.unavailable` while the store does not answer.
    func check(_ configuration: S3Configuration) throws(StorageError) {
        guard isAnswering else {
            throw StorageError(.unavailable, "The model store (\(configuration.place)) does not answer")
        }
    }
}

extension S3Client {
    /// How long a probe waits for an answer. A store that takes longer for a small request is of no use.
    private static let probeSeconds = 3.0
    /// One lost request is no sign.
    private static let probes = 2

    /// Whether the store answers now, whatever it says about the object.
    func answersProbe(_ name: String) -> Bool {
        for _ in 0..<Self.probes {
            do throws(S3Failure) {
                _ = try sendOnce(
                    S3Call("HEAD", configuration.key(name)),
                    timeoutSeconds: min(Self.probeSeconds, configuration.timeoutSeconds))
                return true
            } catch {
                if !error.isRetryable { return true }
                contact.failure.withLock { $0 = error.error.message }
            }
        }
        return false
    }
}
