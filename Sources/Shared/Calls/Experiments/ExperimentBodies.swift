public import HearthWire

/// Bodies of the calls about experiments, below `/hearth/v1/projects/{project}/experiments`.
///
/// `GET` and `POST` of the collection; `GET`, `PUT` and `DELETE` of `…/{name}`; `POST …/{name}:start`, `:stop`,
/// `:rollOut`; `GET …/{name}/results`, `…/{name}/data` (CSV). Times are RFC 3339.
public enum ExperimentBodies {
    /// One of the alternatives that an experiment compares.
    public struct Variant: Codable, Sendable, Hashable, KeyedBody {
        /// 1 to 32 letters, digits, hyphens or underscores.
        public var name: String
        /// The weight relative to those of the other variants, 1 to 1000; default 1.
        public var weight: Int?
        /// The values of Remote Config parameters by key.
        public var parameters: [String: String]?
        /// The versions of models by display name.
        public var models: [String: Int]?

        package enum CodingKeys: String, CodingKey, CaseIterable { case name, weight, parameters, models }

        /// Makes one with these values.
        public init(
            name: String, weight: Int? = nil, parameters: [String: String]? = nil, models: [String: Int]? = nil
        ) {
            self.name = name
            self.weight = weight
            self.parameters = parameters
            self.models = models
        }
    }

    /// What is measured of an installation, by its events of one name.
    public struct Metric: Codable, Sendable, Hashable, KeyedBody {
        /// The events' name.
        public var event: String
        /// `conversion` (whether the installation logged the event), `total` (sum of values, 0 without any) or
        /// `average` (mean of values).
        public var kind: String
        /// Whether a lower value is better; nil for false.
        public var lowerIsBetter: Bool?
        /// Only events about this model count; nil for all.
        public var model: String?

        package enum CodingKeys: String, CodingKey, CaseIterable { case event, kind, lowerIsBetter, model }

        /// Makes one with these values.
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
        /// How much worse than the control a variant may be, as a fraction of the control's value; default 0.
        public var margin: Double?

        package enum CodingKeys: String, CodingKey, CaseIterable { case metric, margin }

        package static var parts: [String: any KeyedBody.Type] { ["metric": Metric.self] }

        /// Makes one with these values.
        public init(metric: Metric, margin: Double? = nil) {
            self.metric = metric
            self.margin = margin
        }
    }

    /// The definition of an experiment. Fields that are nil have their defaults.
    public struct Definition: Codable, Sendable, Hashable, KeyedBody {
        /// 1 to 32 letters, digits, hyphens or underscores; unique in the project.
        public var name: String
        /// What the experiment is about, for readers.
        public var note: String?
        /// The variants; the first one is the control.
        public var variants: [Variant]
        /// A condition in Remote Config's language; nil for every device.
        public var audience: String?
        /// The share of all installations, more than 0 and up to 1; default 1.
        public var share: Double?
        /// The layer: experiments of one layer have no installation in common; nil for a separate layer.
        public var layer: String?
        /// The metric to improve.
        public var goal: Metric
        /// The metrics that must not get worse.
        public var guardrails: [Guardrail]?
        /// The exposed installations per variant for which the test is most powerful; default 10,000.
        public var plannedExposures: Int?
        /// The probability that an experiment whose variants are all alike is ever stopped automatically; default 0.05.
        public var errorRate: Double?
        /// Whether a winner stops the experiment; default true. Harm to a guardrail always stops it.
        public var stopsAtWinner: Bool?

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case name, note, variants, audience, share, layer, goal, guardrails, plannedExposures, errorRate,
                stopsAtWinner
        }

        package static var parts: [String: any KeyedBody.Type] {
            ["variants": Variant.self, "goal": Metric.self, "guardrails": Guardrail.self]
        }

        /// Makes one with these values, and the defaults of all others.
        public init(name: String, variants: [Variant], goal: Metric) {
            self.name = name
            self.variants = variants
            self.goal = goal
        }
    }

    /// An experiment as it is now.
    public struct Experiment: Codable, Sendable, Hashable {
        /// The definition with every default filled in.
        public var definition: Definition
        /// `draft`, `running`, `stopped` or `rolledOut`.
        public var state: String
        /// When it was created.
        public var createTime: String
        /// Who created it: a service account's email, or `token:{id}`.
        public var createdBy: String
        /// When it started; nil until then.
        public var startTime: String?
        /// When it ended; nil until then.
        public var endTime: String?
        /// The variant that was recorded as the winner.
        public var winner: String?
        /// Why the experiment ended; nil until then.
        public var endReason: String?
        /// One line each. In the answer for one experiment that has not ended: what its audience has that no known device sends,
        /// and versions that do not exist. The answer to a call that created or changed it may have more.
        public var warnings: [String]?

        package init(definition: Definition, state: String, createTime: String, createdBy: String) {
            self.definition = definition
            self.state = state
            self.createTime = createTime
            self.createdBy = createdBy
        }
    }

    /// The list, newest first.
    package struct List: Codable, Sendable {
        package var experiments: [Experiment]?

        package init(experiments: [Experiment]?) { self.experiments = experiments }
    }

    package struct StartRequest: Codable, Sendable, KeyedBody {
        /// Starts the experiment even if a version's contract differs and its model refuses that.
        package var allowContractChange: Bool?
        /// Starts the experiment even if a version crashed the engine when the server ran it.
        package var allowCrashing: Bool?

        /// Starts the experiment even if a version's rehearsal is missing or shows less than its model requires.
        package var allowFailedRehearsal: Bool?

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case allowContractChange, allowCrashing, allowFailedRehearsal
        }

        package init(
            allowContractChange: Bool? = nil, allowCrashing: Bool? = nil, allowFailedRehearsal: Bool? = nil
        ) {
            self.allowContractChange = allowContractChange
            self.allowCrashing = allowCrashing
            self.allowFailedRehearsal = allowFailedRehearsal
        }
    }

    package struct StopRequest: Codable, Sendable, KeyedBody {
        /// The variant to record as the winner; it is not rolled out.
        package var winner: String?

        package enum CodingKeys: String, CodingKey, CaseIterable { case winner }

        package init(winner: String? = nil) { self.winner = winner }
    }

    package struct RollOutRequest: Codable, Sendable, KeyedBody {
        package var variant: String
        /// Releases the variant's version even if its contract differs and its model refuses that.
        package var allowContractChange: Bool?
        /// Releases the version even if it crashed the engine when the server ran it.
        package var allowCrashing: Bool?
        /// Releases the version even if its rehearsal is missing or shows less than its model requires.
        package var allowFailedRehearsal: Bool?

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case variant, allowContractChange, allowCrashing, allowFailedRehearsal
        }

        package init(
            variant: String, allowContractChange: Bool? = nil, allowCrashing: Bool? = nil,
            allowFailedRehearsal: Bool? = nil
        ) {
            self.variant = variant
            self.allowContractChange = allowContractChange
            self.allowCrashing = allowCrashing
            self.allowFailedRehearsal = allowFailedRehearsal
        }
    }

    /// The results of an experiment so far.
    public struct Results: Codable, Sendable, Hashable {
        /// One metric in one variant.
        public struct Row: Codable, Sendable, Hashable {
            /// The variant's name.
            public var variant: String
            /// The number of installations behind the value.
            public var count: Int
            /// The conversion rate, or the mean.
            public var value: Double
            /// The interval that contains the true value of this variant with a probability of 95 %. It says nothing about a
            /// difference: that is what `differenceInterval` is for.
            public var credibleInterval: [Double]?
            /// The value minus the control's value; nil for the control.
            public var difference: Double?
            /// The always-valid interval of the difference, lowest and highest value: at all times together it contains the
            /// true difference, except with the probability `MetricResults.errorRate`. It stays valid no matter how often
            /// it is read. It leaves out 0 exactly if the p-value is at most that rate. Variances, which nobody knows, are
            /// estimated from the data, so the interval begins only with enough of them; nil until then
            /// (`MetricResults.lacking` says what is missing), if all values of a mean are equal, and for the control.
            public var differenceInterval: [Double]?
            /// The probability that this variant is the best one, 0 to 1. Nil until the test has found the best one of this
            /// metric, and during a sample ratio mismatch.
            public var probabilityToBeBest: Double?
            /// The p-value of "no different from the control". It stays valid no matter how often it is read.
            public var pValue: Double?

            package init(
                variant: String, count: Int, value: Double, credibleInterval: [Double]?, difference: Double?,
                differenceInterval: [Double]? = nil, probabilityToBeBest: Double?, pValue: Double?
            ) {
                self.variant = variant
                self.count = count
                self.value = value
                self.credibleInterval = credibleInterval
                self.difference = difference
                self.differenceInterval = differenceInterval
                self.probabilityToBeBest = probabilityToBeBest
                self.pValue = pValue
            }
        }

        /// What a verdict still needs.
        public struct Lacking: Codable, Sendable, Hashable {
            /// What there is too little of: `installations` of one variant; `nonzeroTotals`, installations of one variant
            /// whose total is not 0; `expectedNonzeroTotals`, which is enough instead of it: how many of them the smaller
            /// one of the variant and the control would have if both had the same share; `conversions` or
            /// `nonConversions` of the variant and the control together; `difference`, the size of the variant's
            /// difference from the control; or `sampleRatio`, the p-value of the group sizes, whose cause is to be found.
            public var kind: String
            /// The variant; for `sampleRatio` the control.
            public var variant: String
            /// How much is needed by now. For a difference: it shrinks as installations join, and may grow with the values.
            public var needed: Double
            /// How much there is.
            public var found: Double
            /// All this as a sentence.
            public var text: String

            package init(kind: String, variant: String, needed: Double, found: Double, text: String) {
                self.kind = kind
                self.variant = variant
                self.needed = needed
                self.found = found
                self.text = text
            }
        }

        /// The number of exposed installations of a variant.
        public struct Exposures: Codable, Sendable, Hashable {
            /// The variant's name.
            public var variant: String
            /// The number.
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
            /// The error rate of each comparison with the control: its part of that of the experiment.
            public var errorRate: Double?
            /// A row for each variant, the control first.
            public var rows: [Row]
            /// What a verdict still needs; nil if nothing is missing, for the goal also if there is a winner, and after the
            /// experiment has ended. For a guardrail only what its intervals need. During a sample ratio mismatch only
            /// `sampleRatio`, for the goal.
            public var lacking: [Lacking]?

            package init(metric: Metric, errorRate: Double? = nil, rows: [Row], lacking: [Lacking]? = nil) {
                self.metric = metric
                self.errorRate = errorRate
                self.rows = rows
                self.lacking = lacking
            }
        }

        /// What the results leave out, because a pin decides what these devices get.
        public struct LeftOut: Codable, Sendable, Hashable {
            /// The installations with a pin in the project.
            public var installations: Int
            /// The tags with a pin in the project. The answers to devices that send one of them name no experiment, so
            /// these devices report no exposure.
            public var tags: [String]

            package init(installations: Int, tags: [String]) {
                self.installations = installations
                self.tags = tags
            }
        }

        /// The experiment.
        public var experiment: Experiment
        /// The number of exposed installations of each variant.
        public var exposures: [Exposures]
        /// The metric to improve.
        public var goal: MetricResults
        /// The metrics that must not get worse.
        public var guardrails: [MetricResults]
        /// The p-value of "the variants have the numbers of installations that their weights promise".
        public var sampleRatioPValue: Double
        /// Whether the group sizes differ from the weights by more than chance explains.
        public var hasSampleRatioMismatch: Bool
        /// `goOn`, `winner` or `harm`.
        public var verdict: String
        /// A text: the result, and what to do.
        public var summary: String
        /// How the values are computed, with sources.
        public var method: String
        /// The pinned devices, which the results leave out; nil if the project has no pins.
        public var leftOut: LeftOut?
        /// When the installations and events were counted; nil from servers that do not say it.
        public var countTime: String?

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
