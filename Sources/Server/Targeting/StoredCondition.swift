import Synchronization

/// A condition of a record. It is read when a device is asked about for the first time, not when the record is: thousands of them
/// do not hold up a start. Any thread.
public final class StoredCondition: Sendable {
    /// By reference, so that it can be put in its place by whoever is first.
    private final class Reading: Sendable {
        let condition: Condition?

        init(_ condition: Condition?) { self.condition = condition }
    }

    public let text: String
    private let reading = AtomicLazyReference<Reading>()
    private let failure: @Sendable (ConditionSyntaxError) -> Void

    /// - Parameters:
    ///   - condition: where it was read already.
    ///   - failure: is told why it cannot be read, once or hardly more often.
    public init(
        _ text: String, condition: Condition? = nil,
        failure: @escaping @Sendable (ConditionSyntaxError) -> Void = { _ in }
    ) {
        self.text = text
        self.failure = failure
        if let condition { _ = reading.storeIfNil(Reading(condition)) }
    }

    public var isRead: Bool { reading.load() != nil }

    /// Nil for a text that cannot be read, or that needs more than conditions may: nobody meets it.
    public var condition: Condition? {
        if let known = reading.load() { return known.condition }
        do throws(ConditionSyntaxError) {
            return reading.storeIfNil(Reading(try Condition(text))).condition
        } catch {
            if reading.load() == nil { failure(error) }
            return reading.storeIfNil(Reading(nil)).condition
        }
    }
}
