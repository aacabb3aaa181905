public import HearthCatalog
import HearthWire

/// A release that devices can be offered, its condition read once instead of at each question. Immutable; any thread.
public final class TargetedRelease: Sendable {
    public let served: ServedRelease
    /// Nil where the audience has none.
    public let condition: StoredCondition?

    /// - Parameter condition: of the release's audience, where it has one.
    public init(_ served: ServedRelease, condition: StoredCondition?) {
        self.served = served
        self.condition = condition
    }

    /// Whether the device meets the condition, if there is one. One that is damaged is met by nobody: the releases below
    /// still have their devices.
    func isMet(by subject: inout ConditionSubject) -> Bool {
        guard let condition else { return true }
        return condition.condition?.holds(for: &subject) ?? false
    }
}
