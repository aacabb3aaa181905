/// Bodies of the calls about experiments, below `/hearth/v1/projects/{project}/experiments`.
///
/// `GET` and `POST` of the collection; `GET`, `PUT` and `DELETE` of `…/{name}`; `POST …/{name}:start`, `:stop`, `:rollOut`;
/// `GET …/{name}/results`, `…/{name}/data` (CSV). Times are RFC 3339.
package enum ExperimentBodies {
    package struct Variant: Codable, Sendable, Hashable, KeyedBody {
        /// 1 to 32 letters, digits, hyphens or underscores.
        package var name: String
        /// In proportion to the others' weights, 1 to 1000; default 1.
        package var weight: Int?
        /// Values of Remote Config parameters, by key.
        package var parameters: [String: String]?
        /// Versions of models, by display name.
        package var models: [String: Int]?

        package enum CodingKeys: String, CodingKey, CaseIterable { case name, weight, parameters, models }

        package init(
            name: String, weight: Int? = nil, parameters: [String: String]? = nil, models: [String: Int]? = nil
        ) {
            self.name = name
            self.weight = weight
            self.parameters = parameters
            self.models = models
        }
    }

    package struct Metric: Codable, Sendable, Hashable, KeyedBody {
        package var event: String
        /// `conversion` (who logged it at all), `total` (sum of values, 0 without any) or `average` (mean of values).
        package var kind: String
        package var lowerIsBetter: Bool?
        /// Only events about this model count; nil for all.
        package var model: String?

        package enum CodingKeys: String, CodingKey, CaseIterable { case event, kind, lowerIsBetter, model }

        package init(event: String, kind: String, lowerIsBetter: Bool? = nil, model: String? = nil) {
            self.event = event
            self.kind = kind
            self.lowerIsBetter = lowerIsBetter
            self.model = model
        }
    }

    package struct Guardrail: Codable, Sendable, Hashable, KeyedBody {
        package var metric: Metric
        /// How much worse than the control a variant may be, as a part of the control's value; default 0.
        package var margin: Double?

        package enum CodingKeys: String, CodingKey, CaseIterable { case metric, margin }

        package static var parts: [String: any KeyedBody.Type] { ["metric": Metric.self] }

        package init(metric: Metric, margin: Double? = nil) {
            self.metric = metric
            self.margin = margin
        }
    }

    /// What an experiment is made from. What is nil has its default.
    package struct Definition: Codable, Sendable, Hashable, KeyedBody {
        /// 1 to 32 letters, digits, hyphens or underscores; unique in the project.
        package var name: String
        package var note: String?
        /// The first one is the control.
        package var variants: [Variant]
        /// A condition in Remote Config's language; nil for everybody.
        package var audience: String?
        /// Of all installations, more than 0 to 1; default 1.
        package var share: Double?
        package var layer: String?
        package var goal: Metric
        package var guardrails: [Guardrail]?
        /// Exposed installations per variant at which the test is at its best; default 10,000.
        package var plannedExposures: Int?
        /// The chance that an experiment whose variants are all alike is ever stopped by itself; default 0.05.
        package var errorRate: Double?
        /// Whether a winner ends the experiment; default true. Harm to a guardrail always does.
        package var stopsAtWinner: Bool?

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case name, note, variants, audience, share, layer, goal, guardrails, plannedExposures, errorRate,
                stopsAtWinner
        }

        package static var parts: [String: any KeyedBody.Type] {
            ["variants": Variant.self, "goal": Metric.self, "guardrails": Guardrail.self]
        }

        package init(name: String, variants: [Variant], goal: Metric) {
            self.name = name
            self.variants = variants
            self.goal = goal
        }
    }

    package struct Experiment: Codable, Sendable, Hashable {
        /// With every default written out.
        package var definition: Definition
        /// `draft`, `running`, `stopped` or `rolledOut`.
        package var state: String
        package var createTime: String
        package var createdBy: String
        package var startTime: String?
        package var endTime: String?
        package var winner: String?
        /// Why it ended, where it did.
        package var endReason: String?
        /// In the answer that made or changed it, one line each.
        package var warnings: [String]?

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
    package struct Results: Codable, Sendable, Hashable {
        /// One metric in one variant.
        package struct Row: Codable, Sendable, Hashable {
            package var variant: String
            /// Installations that the figure is of.
            package var count: Int
            /// The conversion rate, or the mean.
            package var value: Double
            /// Holds the true value with 95 % probability.
            package var credibleInterval: [Double]?
            /// Less the control's value; nil of the control.
            package var difference: Double?
            package var probabilityToBeBest: Double?
            /// Of "no different from the control", valid however often it is looked at.
            package var pValue: Double?

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

        package struct Exposures: Codable, Sendable, Hashable {
            package var variant: String
            package var installations: Int

            package init(variant: String, installations: Int) {
                self.variant = variant
                self.installations = installations
            }
        }

        package struct MetricResults: Codable, Sendable, Hashable {
            package var metric: Metric
            package var rows: [Row]

            package init(metric: Metric, rows: [Row]) {
                self.metric = metric
                self.rows = rows
            }
        }

        package var experiment: Experiment
        package var exposures: [Exposures]
        package var goal: MetricResults
        package var guardrails: [MetricResults]
        /// Of "the variants have the installations that their weights promise".
        package var sampleRatioPValue: Double
        package var hasSampleRatioMismatch: Bool
        /// `goOn`, `winner` or `harm`.
        package var verdict: String
        /// In words: what was found, and what to do.
        package var summary: String
        /// How the figures are made, with sources.
        package var method: String

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
