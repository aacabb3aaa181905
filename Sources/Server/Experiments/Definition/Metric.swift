/// What is measured of each installation that was exposed.
public struct Metric: Sendable, Hashable, Codable {
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// Whether the installation logged the event at all: 0 or 1.
        case conversion
        /// The sum of its events' values; an event without a value counts 1, and an installation without events has 0.
        case total
        /// The mean of its events' values. Installations without any are left out.
        case average
    }

    /// The name of the event.
    public var event: String
    public var kind: Kind
    public var isLowerBetter: Bool
    /// The display name of the model that the events must be about; nil for all events of the name.
    public var model: String?

    public init(event: String, kind: Kind, isLowerBetter: Bool = false, model: String? = nil) {
        self.event = event
        self.kind = kind
        self.isLowerBetter = isLowerBetter
        self.model = model
    }

    /// What an event adds to the installation's total; nil where it does not count.
    public func amount(ofEvent name: String, value: Double?, model: String?) -> Double? {
        guard name == event, self.model == nil || self.model == model else { return nil }
        return kind == .average ? value : value ?? 1
    }
}

/// A metric that a variant must not make worse than the control does.
public struct Guardrail: Sendable, Hashable, Codable {
    public var metric: Metric
    /// How much worse a variant may be, as a part of the control's value: 0.02 for two in a hundred. Not negative.
    public var margin: Double

    public init(metric: Metric, margin: Double) {
        self.metric = metric
        self.margin = margin
    }
}
