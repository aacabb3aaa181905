/// What an experiment has found up to now.
public struct ExperimentReport: Sendable, Hashable {
    /// One metric in one variant.
    public struct Row: Sendable, Hashable {
        public let variant: String
        /// Installations that the figure is of.
        public let count: Int
        /// The conversion rate, or the mean.
        public let value: Double
        /// Holds the true value with 95 % probability; nil where there are too few data. See `Posterior`.
        public let credibleInterval: ClosedRange<Double>?
        /// Less the control's value; nil of the control itself.
        public let difference: Double?
        /// Nil where one of the variants has too few data.
        public let probabilityToBeBest: Double?
        /// Of "no different from the control", valid however often it is looked at; nil of the control, and where there are
        /// too few data. See `SequentialTest`.
        public let pValue: Double?
    }

    public let exposures: [Int]
    public let goal: [Row]
    /// By guardrail.
    public let guardrails: [[Row]]
    /// See `SampleRatio`.
    public let sampleRatioPValue: Double
    public let verdict: ExperimentVerdict

    public var hasSampleRatioMismatch: Bool { sampleRatioPValue <= SampleRatio.threshold }
}

/// Whether an experiment is over by itself, and why.
public enum ExperimentVerdict: Sendable, Hashable {
    case goOn
    /// The variant is better than the control; or the control, by name, than every variant.
    case winner(String)
    /// The variant does more harm to the metric than its guardrail allows.
    case harm(variant: String, metric: Metric)
}
