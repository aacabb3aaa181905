import HearthConcurrency
import Synchronization

/// The single conditions that were parsed last: a condition that was parsed for a check is not parsed again to be
/// stored and served. Safe to use from any thread.
package final class ConditionCache: Sendable {
    private struct State {
        var conditions: [String: Condition] = [:]
        /// Oldest first.
        var order: [String] = []
    }

    private let limit: Int
    private let state = Lock(State())

    /// - Parameter limit: the largest number of conditions kept.
    package init(limit: Int = 64) { self.limit = limit }

    /// - Throws: what `Condition.init` throws.
    package func read(_ text: String) throws(ConditionSyntaxError) -> Condition {
        if let condition = known(text) { return condition }
        let condition = try Condition(text)
        state.withLock { state in
            guard state.conditions.updateValue(condition, forKey: text) == nil else { return }
            state.order.append(text)
            if state.order.count > limit { state.conditions[state.order.removeFirst()] = nil }
        }
        return condition
    }

    /// Nil for a condition that was not parsed lately.
    package func known(_ text: String) -> Condition? { state.withLock { $0.conditions[text] } }
}
