/// Several versions of a configuration, or of a model, given to parts of the installations that chance decides, to find
/// which one is better.
package struct Experiment: Sendable, Hashable, Codable {
    package enum State: String, Sendable, Hashable, Codable {
        case draft
        case running
        /// Over; every installation gets what it got before.
        case stopped
        /// Over; every installation gets the winner.
        case rolledOut
    }

    package struct Variant: Sendable, Hashable, Codable {
        package var name: String
        /// In proportion to the other variants' weights.
        package var weight: Int
        /// Values of parameters, by key. A key that other variants have and this one has not keeps its usual value.
        package var parameters: [String: String]
        /// Versions of models, by display name.
        package var models: [String: Int]

        package init(name: String, weight: Int = 1, parameters: [String: String] = [:], models: [String: Int] = [:]) {
            self.name = name
            self.weight = weight
            self.parameters = parameters
            self.models = models
        }
    }

    package var projectID: String
    /// Unique in its project.
    package var name: String
    package var note: String
    package var state: State
    /// The first one is the control, against which the others are compared.
    package var variants: [Variant]
    /// A condition in Remote Config's language; empty for everybody.
    package var audience: String
    /// The share of all installations that take part where the audience holds them, in millionths.
    package var shareMillionths: Int
    /// Experiments that name the same layer share no installation, as those that vary the same thing never do.
    package var layer: String?
    package var goal: Metric
    package var guardrails: [Guardrail]
    /// How many exposed installations each variant is expected to have in the end: there the test is at its best.
    package var plannedExposures: Int
    /// The chance that an experiment in which all variants are alike is ever stopped by itself, however often it is
    /// looked at.
    package var errorRate: Double
    /// Whether a winner ends it. Harm to a guardrail always does.
    package var stopsAtWinner: Bool
    /// Which installations take part; empty until it starts.
    package var slots: [Range<Int>]
    package var startedMicroseconds: Int64?
    package var endedMicroseconds: Int64?
    /// The name of the variant that won.
    package var winner: String?
    /// Why it ended, in words.
    package var endReason: String?

    package init(
        projectID: String, name: String, variants: [Variant], goal: Metric, guardrails: [Guardrail] = [],
        audience: String = "", shareMillionths: Int = Slots.count, layer: String? = nil,
        plannedExposures: Int = 10_000, errorRate: Double = 0.05, stopsAtWinner: Bool = true, note: String = ""
    ) {
        self.projectID = projectID
        self.name = name
        self.note = note
        state = .draft
        self.variants = variants
        self.audience = audience
        self.shareMillionths = shareMillionths
        self.layer = layer
        self.goal = goal
        self.guardrails = guardrails
        self.plannedExposures = plannedExposures
        self.errorRate = errorRate
        self.stopsAtWinner = stopsAtWinner
        slots = []
    }

    /// The goal, then the guardrails': what is counted of each installation, in the order of the counts.
    package var metrics: [Metric] { [goal] + guardrails.map(\.metric) }

    /// The keys of the parameters that it varies.
    package var parameterKeys: Set<String> { Set(variants.flatMap(\.parameters.keys)) }

    /// The parameters and models that it varies.
    package var subjects: Set<String> {
        var subjects: Set<String> = []
        for variant in variants {
            subjects.formUnion(variant.parameters.keys.map { "parameter \($0)" })
            subjects.formUnion(variant.models.keys.map { "model \($0)" })
        }
        return subjects
    }

    /// Whether an installation must not take part in both.
    package func overlaps(_ other: Experiment) -> Bool {
        guard projectID == other.projectID, name != other.name else { return false }
        return layer != nil && layer == other.layer || !subjects.isDisjoint(with: other.subjects)
    }
}

/// What is measured of each installation that was exposed.
package struct Metric: Sendable, Hashable, Codable {
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// Whether the installation logged the event at all: 0 or 1.
        case conversion
        /// The sum of its events' values; an event without a value counts 1, and an installation without events has 0.
        case total
        /// The mean of its events' values. Installations without any are left out.
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

    /// What an event adds to the installation's total; nil where it does not count.
    package func amount(ofEvent name: String, value: Double?, model: String?) -> Double? {
        guard name == event, self.model == nil || self.model == model else { return nil }
        return kind == .average ? value : value ?? 1
    }
}

/// A metric that a variant must not make worse than the control does.
package struct Guardrail: Sendable, Hashable, Codable {
    package var metric: Metric
    /// How much worse a variant may be, as a part of the control's value: 0.02 for two in a hundred. Not negative.
    package var margin: Double

    package init(metric: Metric, margin: Double) {
        self.metric = metric
        self.margin = margin
    }
}
