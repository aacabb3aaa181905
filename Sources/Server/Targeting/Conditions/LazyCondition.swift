import Synchronization

/// A condition of a record. It is read when a device is asked about for the first time, not when the record is: thousands of them
/// do not hold up a start. Any thread.
package final class LazyCondition: Sendable {
    /// By reference, so that it can be put in its place by whoever is first.
    private final class Reading: Sendable {
        let condition: Condition?

        init(_ condition: Condition?) { self.condition = condition }
    }

    package let text: String
    private let reading = AtomicLazyReference<Reading>()
    private let failure: @Sendable (ConditionSyntaxError) -> Void

    /// - Parameters:
    ///   - condition: where it was read already.
    ///   - failure: is told why it cannot be read, once or hardly more often.
    package init(
        _ text: String, condition: Condition? = nil,
        failure: @escaping @Sendable (ConditionSyntaxError) -> Void = { _ in }
    ) {
        self.text = text
        self.failure = failure
        if let condition { _ = reading.storeIfNil(Reading(condition)) }
    }

    package var isRead: Bool { reading.load() != nil }

    /// Nil for a text that cannot be read, or that needs more than conditions may: nobody meets it.
    package var condition: Condition? {
        if let known = reading.load() { return known.condition }
        do throws(ConditionSyntaxError) {
            return reading.storeIfNil(Reading(try Condition(text))).condition
        } catch {
            if reading.load() == nil { failure(error) }
            return reading.storeIfNil(Reading(nil)).condition
        }
    }
}

/// The conditions that were read last, one by one: what was checked when somebody wrote it is not read again to be stored and
/// served. Any thread.
package final class ConditionCache: Sendable {
    private struct State {
        var conditions: [String: Condition] = [:]
        /// Oldest first.
        var order: [String] = []
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: how many are kept.
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

    /// Nil for one that was not read lately.
    package func known(_ text: String) -> Condition? { state.withLock { $0.conditions[text] } }
}
