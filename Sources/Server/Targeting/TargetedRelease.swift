public import HearthCatalog
import HearthWire

/// A release that devices can be offered, its condition read once instead of at each question. Immutable; any thread.
public final class TargetedRelease: Sendable {
    public let served: ServedRelease
    /// Nil where the audience has none, and where the one that is stored cannot be read.
    private let condition: Condition?

    /// - Parameter known: conditions that were read before, by their text.
    public init(_ served: ServedRelease, known: [String: Condition] = [:]) {
        self.served = served
        condition = served.release.audience.condition.flatMap { known[$0] ?? (try? Condition($0)) }
    }

    /// The conditions of releases, by their text.
    public static func conditions(of releases: some Sequence<TargetedRelease>) -> [String: Condition] {
        let conditions = releases.compactMap(\.condition).map { ($0.text, $0) }
        return Dictionary(conditions, uniquingKeysWith: { first, _ in first })
    }

    /// Whether the device meets the condition, if there is one. One that is damaged is met by nobody: the releases below
    /// still have their devices.
    func isMet(by device: DeviceFacts, nowMicroseconds: Int64) -> Bool {
        guard served.release.audience.condition != nil else { return true }
        return condition?.holds(for: device, nowMicroseconds: nowMicroseconds) ?? false
    }
}
