/// What the goal of an experiment showed at a moment.
package struct ExperimentPoint: Sendable, Hashable {
    /// One variant. The names are short because an experiment has hundreds of them.
    package struct Variant: Sendable, Hashable, Codable {
        /// Exposed installations.
        package var exposures: Int
        package var value: Double
        /// From the control; nil for the control, like all below.
        package var difference: Double?
        package var low: Double?
        package var high: Double?
        package var pValue: Double?

        private enum CodingKeys: String, CodingKey {
            case exposures = "n"
            case value = "v"
            case difference = "d"
            case low = "l"
            case high = "h"
            case pValue = "p"
        }

        package init(
            exposures: Int, value: Double, difference: Double? = nil, interval: ClosedRange<Double>? = nil,
            pValue: Double? = nil
        ) {
            self.exposures = exposures
            self.value = value
            self.difference = difference
            low = interval?.lowerBound
            high = interval?.upperBound
            self.pValue = pValue
        }
    }

    package var projectID: String
    package var experiment: String
    package var atMicroseconds: Int64
    /// In the order of the experiment's variants.
    package var variants: [Variant]

    package init(projectID: String, experiment: String, atMicroseconds: Int64, variants: [Variant]) {
        self.projectID = projectID
        self.experiment = experiment
        self.atMicroseconds = atMicroseconds
        self.variants = variants
    }
}
