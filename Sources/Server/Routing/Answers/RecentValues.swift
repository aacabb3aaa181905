import HearthConcurrency
package import HearthHTTP

/// What was computed at some moment.
package struct DatedValue<Value: Sendable>: Sendable {
    package let value: Value
    package let atMicroseconds: Int64

    package init(value: Value, atMicroseconds: Int64) {
        self.value = value
        self.atMicroseconds = atMicroseconds
    }
}

/// The last values of things that take long to compute, for callers whom a somewhat older value is enough. Safe to use
/// from any thread.
package final class RecentValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct State {
        var known: [Key: DatedValue<Value>] = [:]
        var renewed: Set<Key> = []
    }

    private let state = Lock(State())
    private let limit: Int

    /// - Parameter limit: the most values that are remembered.
    package init(limit: Int) { self.limit = limit }

    /// Nil if there is none that is at most so old. One of a later time is of no known age: the clock was set back.
    package func last(of key: Key, maxAgeSeconds: Int64, nowMicroseconds: Int64) -> DatedValue<Value>? {
        guard maxAgeSeconds > 0, let known = state.withLock({ $0.known[key] }) else { return nil }
        let age = nowMicroseconds - known.atMicroseconds
        return (0...maxAgeSeconds * 1_000_000).contains(age) ? known : nil
    }

    package func set(_ value: Value, of key: Key, atMicroseconds: Int64) {
        state.withLock { state in
            state.known[key] = DatedValue(value: value, atMicroseconds: atMicroseconds)
            guard state.known.count > limit,
                let oldest = state.known.min(by: { $0.value.atMicroseconds < $1.value.atMicroseconds })
            else { return }
            state.known[oldest.key] = nil
        }
    }

    package func removeAll() { state.withLock { $0.known = [:] } }

    /// True for one caller at a time, which then must call `endRenewal`.
    package func beginRenewal(of key: Key) -> Bool { state.withLock { $0.renewed.insert(key).inserted } }

    package func endRenewal(of key: Key) { state.withLock { _ = $0.renewed.remove(key) } }
}

/// The query item `maxAge`: how old an answer may be.
package enum MaxAge {
    package static let longest: Int64 = 86_400

    /// 0 without the item.
    package static func seconds(_ query: QueryItems) throws(APIError) -> Int64 {
        guard let text = query.first("maxAge") else { return 0 }
        guard let seconds = Int64(text), (0...longest).contains(seconds) else {
            let text = "The age is a number of seconds from 0 to \(longest)."
            throw .invalid("maxAge", text, message: text)
        }
        return seconds
    }
}
