import HearthConcurrency
import HearthCrypto

/// Objects that did not have the bytes of their name, so that not each request fetches such an object again. Use it from any
/// thread.
final class WrongObjects: Sendable {
    private struct Known {
        var tag: String
        var seconds: Int64
    }

    private let known = Lock<[SHA256Digest: Known]>([:])

    /// For so long: the bytes may have changed on their way only.
    private static let seconds: Int64 = 60
    /// How many are known at a time.
    private static let most = 1000

    /// The tag of the object that was wrong a moment ago; nil if none was.
    func tag(of digest: SHA256Digest, nowSeconds now: Int64) -> String? {
        known.withLock { known in
            guard let found = known[digest] else { return nil }
            // A clock that was set back must not make it last.
            if abs(now - found.seconds) < Self.seconds { return found.tag }
            known[digest] = nil
            return nil
        }
    }

    /// - Parameter tag: nil if the store gave none. Then nobody could see that the object has changed.
    func note(_ digest: SHA256Digest, tag: String?, nowSeconds now: Int64) {
        guard let tag else { return }
        known.withLock { known in
            if known.count >= Self.most { known = known.filter { abs(now - $0.value.seconds) < Self.seconds } }
            if known.count >= Self.most, let any = known.keys.first { known[any] = nil }
            known[digest] = Known(tag: tag, seconds: now)
        }
    }
}
