import HearthWire

extension ExperimentBodies {
    /// How the goal of an experiment moved over time: at most 200 moments, closer together at the beginning.
    public struct History: Codable, Sendable, Hashable {
        /// One variant at a moment.
        public struct Variant: Codable, Sendable, Hashable {
            /// The variant's name.
            public var variant: String
            /// The number of exposed installations.
            public var exposures: Int
            /// The conversion rate, or the mean.
            public var value: Double
            /// The value minus the control's value; nil for the control.
            public var difference: Double?
            /// The always-valid interval of the difference; nil for the control, and with too few installations.
            public var differenceInterval: [Double]?
            /// The p-value of "no different from the control"; nil where there is no interval.
            public var pValue: Double?

            package init(
                variant: String, exposures: Int, value: Double, difference: Double? = nil,
                differenceInterval: [Double]? = nil, pValue: Double? = nil
            ) {
                self.variant = variant
                self.exposures = exposures
                self.value = value
                self.difference = difference
                self.differenceInterval = differenceInterval
                self.pValue = pValue
            }
        }

        /// A moment.
        public struct Point: Codable, Sendable, Hashable {
            /// When; RFC 3339.
            public var time: String
            /// The variants, the control first.
            public var variants: [Variant]

            package init(time: String, variants: [Variant]) {
                self.time = time
                self.variants = variants
            }
        }

        /// The experiment's name.
        public var experiment: String
        /// The metric to improve.
        public var goal: Metric
        /// The error rate of each interval.
        public var errorRate: Double
        /// The moments, oldest first.
        public var points: [Point]

        package init(experiment: String, goal: Metric, errorRate: Double, points: [Point]) {
            self.experiment = experiment
            self.goal = goal
            self.errorRate = errorRate
            self.points = points
        }
    }
}
