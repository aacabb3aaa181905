import HearthConcurrency
import HearthIdentity
import HearthWire

/// Keeps the signing keys as new as the store's.
package final class SigningKeyMonitor: Sendable {
    private let secret: ServerSecret
    private let now: @Sendable () -> Timestamp
    /// A database that cannot be reached stays so for a while, so the same failure is reported once.
    private let lastFailure = Lock<String?>(nil)

    package init(_ services: Services) {
        secret = services.secret
        now = services.now
    }

    /// - Returns: messages for the operator.
    package func tick() -> [String] {
        var failure: String?
        do {
            try secret.refresh(nowMicroseconds: now().microseconds)
        } catch {
            failure = "The signing keys: \(error)"
        }
        let isNew = lastFailure.withLock { last in
            defer { last = failure }
            return last != failure
        }
        return isNew ? [failure].compactMap { $0 } : []
    }
}
