/// Several variants of parameters or models, each given to a randomly drawn share of the installations, to find out
/// which one is better.
package struct Experiment: Sendable, Hashable, Codable {
    /// The stage of an experiment's life.
    package enum State: String, Sendable, Hashable, Codable {
        case draft
        case running
        /// Stopped: every installation gets what it got before.
        case stopped
        /// Stopped: every installation gets the winner.
        case rolledOut
    }

    /// One of the alternatives of an experiment.
    package struct Variant: Sendable, Hashable, Codable {
        package var name: String
        /// In proportion to the weights of the other variants.
        package var weight: Int
        /// Values of parameters, by key. A key that only other variants have keeps its usual value.
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
    /// The first one is the control, with which the others are compared.
    package var variants: [Variant]
    /// A condition in Remote Config's language; empty for all installations.
    package var audience: String
    /// The share of all installations that take part if the audience includes them, in millionths.
    package var shareMillionths: Int
    /// Experiments with the same layer share no installation. Nor do experiments that vary the same parameter or model.
    package var layer: String?
    package var goal: Metric
    package var guardrails: [Guardrail]
    /// The expected final number of exposed installations of each variant. The test is most powerful at that size.
    package var plannedExposures: Int
    /// The chance that an experiment whose variants are all alike is ever stopped by its verdict, however often it is
    /// analysed.
    package var errorRate: Double
    /// Whether a winner stops the experiment. Harm to a guardrail always does.
    package var stopsAtWinner: Bool
    /// The installations that take part; empty until the experiment starts.
    package var slots: [Range<Int>]
    package var startedMicroseconds: Int64?
    package var endedMicroseconds: Int64?
    /// The name of the winning variant.
    package var winner: String?
    /// Why the experiment was stopped, in words.
    package var endReason: String?
    /// The verdict at the end: `goOn`, `winner` or `harm`; nil if none was known.
    package var endVerdict: String?
    /// The verdict at the end in words, which name the variant; nil if it is not known.
    package var endFinding: String?

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

    /// The goal, then the guardrails' metrics. An installation's counts have the same order.
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

    /// Whether no installation may take part in both.
    package func overlaps(_ other: Experiment) -> Bool {
        guard projectID == other.projectID, name != other.name else { return false }
        return layer != nil && layer == other.layer || !subjects.isDisjoint(with: other.subjects)
    }
}

/// A metric that a variant must not make worse than the control does.
package struct Guardrail: Sendable, Hashable, Codable {
    package var metric: Metric
    /// How much worse a variant may be, relative to the control's value: 0.02 for two percent. Not negative.
    package var margin: Double

    package init(metric: Metric, margin: Double) {
        self.metric = metric
        self.margin = margin
    }
}
