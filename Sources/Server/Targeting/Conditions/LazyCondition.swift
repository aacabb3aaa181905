import HearthConcurrency
import Synchronization

/// A condition of a record. It is parsed when the first device needs it, and not together with the record, so that
/// thousands of conditions do not delay a start. Safe to use from any thread.
package final class LazyCondition: Sendable {
    /// A class, so that the first thread to parse the text can store the result atomically.
    private final class Reading: Sendable {
        let condition: Condition?

        init(_ condition: Condition?) { self.condition = condition }
    }

    package let text: String
    private let reading = AtomicLazyReference<Reading>()
    private let failure: @Sendable (ConditionSyntaxError) -> Void

    /// - Parameters:
    ///   - condition: if the text was parsed before.
    ///   - failure: gets the error if the text cannot be parsed, usually once.
    package init(
        _ text: String, condition: Condition? = nil,
        failure: @escaping @Sendable (ConditionSyntaxError) -> Void = { _ in }
    ) {
        self.text = text
        self.failure = failure
        if let condition { _ = reading.storeIfNil(Reading(condition)) }
    }

    package var isRead: Bool { reading.load() != nil }

    /// Nil for a text that cannot be parsed, or is above the limits of conditions: no device meets it.
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
