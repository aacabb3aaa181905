import Synchronization

/// The conditions that were read last, one by one: what was checked when somebody wrote it is not read again to be stored and
/// served. Any thread.
public final class RecentConditions: Sendable {
    private struct State {
        var conditions: [String: Condition] = [:]
        /// Oldest first.
        var order: [String] = []
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: how many are kept.
    public init(limit: Int = 64) { self.limit = limit }

    /// - Throws: what `Condition.init` throws.
    public func read(_ text: String) throws(ConditionSyntaxError) -> Condition {
        if let condition = known(text) { return condition }
        let condition = try Condition(text)
        state.withLock { state in
            guard state.conditions.updateValue(condition, forKey: text) == nil else { return }
            state.order.append(text)
            if state.order.count > limit { state.conditions[state.order.removeFirst()] = nil }
        }
        return condition
    }

    /// Nil for one that was not read lately.
    public func known(_ text: String) -> Condition? { state.withLock { $0.conditions[text] } }
}
