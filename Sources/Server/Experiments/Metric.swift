/// What is measured for each exposed installation.
package struct Metric: Sendable, Hashable, Codable {
    /// How a metric is computed from an installation's events.
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// Whether the installation logged the event at least once: 0 or 1.
        case conversion
        /// The sum of its events' values. An event without a value counts as 1, and an installation without events has
        /// 0.
        case total
        /// The mean of its events' values. Installations without events are left out.
        case average
    }

    /// The name of the event.
    package var event: String
    package var kind: Kind
    package var isLowerBetter: Bool
    /// The display name of the model that the events must be about; nil for all events of the name.
    package var model: String?

    package init(event: String, kind: Kind, isLowerBetter: Bool = false, model: String? = nil) {
        self.event = event
        self.kind = kind
        self.isLowerBetter = isLowerBetter
        self.model = model
    }

    /// What an event adds to the installation's total; nil if the event does not count.
    package func amount(ofEvent name: String, value: Double?, model: String?) -> Double? {
        guard name == event, self.model == nil || self.model == model else { return nil }
        return kind == .average ? value : value ?? 1
    }
}
