/// Bodies of the calls about experiments, below `/hearth/v1/projects/{project}/experiments`.
///
/// `GET` and `POST` of the collection; `GET`, `PUT` and `DELETE` of `…/{name}`; `POST …/{name}:start`, `:stop`, `:rollOut`;
/// `GET …/{name}/results`, `…/{name}/data` (CSV). Times are RFC 3339.
public enum ExperimentBodies {
    /// One of the alternatives that an experiment compares.
    public struct Variant: Codable, Sendable, Hashable, KeyedBody {
        /// 1 to 32 letters, digits, hyphens or underscores.
        public var name: String
        /// In proportion to the others' weights, 1 to 1000; default 1.
        public var weight: Int?
        /// Values of Remote Config parameters, by key.
        public var parameters: [String: String]?
        /// Versions of models, by display name.
        public var models: [String: Int]?

        package enum CodingKeys: String, CodingKey, CaseIterable { case name, weight, parameters, models }

        /// One with these values.
        public init(
            name: String, weight: Int? = nil, parameters: [String: String]? = nil, models: [String: Int]? = nil
        ) {
            self.name = name
            self.weight = weight
            self.parameters = parameters
            self.models = models
        }
    }

    /// What is measured of an installation: its events of one name.
    public struct Metric: Codable, Sendable, Hashable, KeyedBody {
        /// The events' name.
        public var event: String
        /// `conversion` (who logged it at all), `total` (sum of values, 0 without any) or `average` (mean of values).
        public var kind: String
        /// Whether a lower value is the better one; nil for false.
        public var lowerIsBetter: Bool?
        /// Only events about this model count; nil for all.
        public var model: String?

        package enum CodingKeys: String, CodingKey, CaseIterable { case event, kind, lowerIsBetter, model }

        /// One with these values.
        public init(event: String, kind: String, lowerIsBetter: Bool? = nil, model: String? = nil) {
            self.event = event
            self.kind = kind
            self.lowerIsBetter = lowerIsBetter
            self.model = model
        }
    }

    /// A metric that must not get worse.
    public struct Guardrail: Codable, Sendable, Hashable, KeyedBody {
        /// The metric.
        public var metric: Metric
        /// How much worse than the control a variant may be, as a part of the control's value; default 0.
        public var margin: Double?

        package enum CodingKeys: String, CodingKey, CaseIterable { case metric, margin }

        package static var parts: [String: any KeyedBody.Type] { ["metric": Metric.self] }

        /// One with these values.
        public init(metric: Metric, margin: Double? = nil) {
            self.metric = metric
            self.margin = margin
        }
    }

    /// What an experiment is made from. What is nil has its default.
    public struct Definition: Codable, Sendable, Hashable, KeyedBody {
        /// 1 to 32 letters, digits, hyphens or underscores; unique in the project.
        public var name: String
        /// What it is about, for people.
        public var note: String?
        /// The first one is the control.
        public var variants: [Variant]
        /// A condition in Remote Config's language; nil for everybody.
        public var audience: String?
        /// Of all installations, more than 0 to 1; default 1.
        public var share: Double?
        /// Experiments of one layer have no installation in common; nil for a layer of its own.
        public var layer: String?
        /// The metric to improve.
        public var goal: Metric
        /// The metrics that must not get worse.
        public var guardrails: [Guardrail]?
        /// Exposed installations per variant at which the test is at its best; default 10,000.
        public var plannedExposures: Int?
        /// The chance that an experiment whose variants are all alike is ever stopped by itself; default 0.05.
        public var errorRate: Double?
        /// Whether a winner ends the experiment; default true. Harm to a guardrail always does.
        public var stopsAtWinner: Bool?

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case name, note, variants, audience, share, layer, goal, guardrails, plannedExposures, errorRate,
                stopsAtWinner
        }

        package static var parts: [String: any KeyedBody.Type] {
            ["variants": Variant.self, "goal": Metric.self, "guardrails": Guardrail.self]
        }

        /// One with these values, and the defaults of all others.
        public init(name: String, variants: [Variant], goal: Metric) {
            self.name = name
            self.variants = variants
            self.goal = goal
        }
    }

    /// An experiment as it is now.
    public struct Experiment: Codable, Sendable, Hashable {
        /// With every default written out.
        public var definition: Definition
        /// `draft`, `running`, `stopped` or `rolledOut`.
        public var state: String
        /// When it was made.
        public var createTime: String
        /// Who made it: a service account's email, or `token:{id}`.
        public var createdBy: String
        /// When it started; nil until then.
        public var startTime: String?
        /// When it ended; nil until then.
        public var endTime: String?
        /// The variant that was noted as the winner.
        public var winner: String?
        /// Why it ended, where it did.
        public var endReason: String?
        /// In the answer that made or changed it, one line each.
        public var warnings: [String]?

        package init(definition: Definition, state: String, createTime: String, createdBy: String) {
            self.definition = definition
            self.state = state
            self.createTime = createTime
            self.createdBy = createdBy
        }
    }

    /// Newest first.
    package struct List: Codable, Sendable {
        package var experiments: [Experiment]?

        package init(experiments: [Experiment]?) { self.experiments = experiments }
    }

    package struct StartRequest: Codable, Sendable, KeyedBody {
        /// Starts it although a version's contract differs and its model refuses that.
        package var allowContractChange: Bool?
        /// Starts it although a version crashed the engine when the server ran it.
        package var allowCrashing: Bool?

        package enum CodingKeys: String, CodingKey, CaseIterable { case allowContractChange, allowCrashing }

        package init(allowContractChange: Bool? = nil, allowCrashing: Bool? = nil) {
            self.allowContractChange = allowContractChange
            self.allowCrashing = allowCrashing
        }
    }

    package struct StopRequest: Codable, Sendable, KeyedBody {
        /// To note which variant won; nothing is rolled out.
        package var winner: String?

        package enum CodingKeys: String, CodingKey, CaseIterable { case winner }

        package init(winner: String? = nil) { self.winner = winner }
    }

    package struct RollOutRequest: Codable, Sendable, KeyedBody {
        package var variant: String
        /// Releases the variant's version although its contract differs and its model refuses that.
        package var allowContractChange: Bool?
        /// Releases it although it crashed the engine when the server ran it.
        package var allowCrashing: Bool?

        package enum CodingKeys: String, CodingKey, CaseIterable { case variant, allowContractChange, allowCrashing }

        package init(variant: String, allowContractChange: Bool? = nil, allowCrashing: Bool? = nil) {
            self.variant = variant
            self.allowContractChange = allowContractChange
            self.allowCrashing = allowCrashing
        }
    }

    /// What an experiment has found up to now.
    public struct Results: Codable, Sendable, Hashable {
        /// One metric in one variant.
        public struct Row: Codable, Sendable, Hashable {
            /// The variant's name.
            public var variant: String
            /// Installations that the value is of.
            public var count: Int
            /// The conversion rate, or the mean.
            public var value: Double
            /// Holds the true value with 95 % probability.
            public var credibleInterval: [Double]?
            /// Less the control's value; nil of the control.
            public var difference: Double?
            /// The probability that this variant is the best one, 0 to 1.
            public var probabilityToBeBest: Double?
            /// Of "no different from the control", valid however often it is looked at.
            public var pValue: Double?

            package init(
                variant: String, count: Int, value: Double, credibleInterval: [Double]?, difference: Double?,
                probabilityToBeBest: Double?, pValue: Double?
            ) {
                self.variant = variant
                self.count = count
                self.value = value
                self.credibleInterval = credibleInterval
                self.difference = difference
                self.probabilityToBeBest = probabilityToBeBest
                self.pValue = pValue
            }
        }

        /// How many installations met a variant.
        public struct Exposures: Codable, Sendable, Hashable {
            /// The variant's name.
            public var variant: String
            /// How many.
            public var installations: Int

            package init(variant: String, installations: Int) {
                self.variant = variant
                self.installations = installations
            }
        }

        /// One metric in all variants.
        public struct MetricResults: Codable, Sendable, Hashable {
            /// The metric.
            public var metric: Metric
            /// A row for each variant, the control first.
            public var rows: [Row]

            package init(metric: Metric, rows: [Row]) {
                self.metric = metric
                self.rows = rows
            }
        }

        /// The experiment.
        public var experiment: Experiment
        /// How many installations met each variant.
        public var exposures: [Exposures]
        /// The metric to improve.
        public var goal: MetricResults
        /// The metrics that must not get worse.
        public var guardrails: [MetricResults]
        /// Of "the variants have the installations that their weights promise".
        public var sampleRatioPValue: Double
        /// Whether the group sizes differ from the weights by more than chance explains.
        public var hasSampleRatioMismatch: Bool
        /// `goOn`, `winner` or `harm`.
        public var verdict: String
        /// In words: what was found, and what to do.
        public var summary: String
        /// How the values are computed, with sources.
        public var method: String

        package init(
            experiment: Experiment, exposures: [Exposures], goal: MetricResults, guardrails: [MetricResults],
            sampleRatioPValue: Double, hasSampleRatioMismatch: Bool, verdict: String, summary: String, method: String
        ) {
            self.experiment = experiment
            self.exposures = exposures
            self.goal = goal
            self.guardrails = guardrails
            self.sampleRatioPValue = sampleRatioPValue
            self.hasSampleRatioMismatch = hasSampleRatioMismatch
            self.verdict = verdict
            self.summary = summary
            self.method = method
        }
    }
}
