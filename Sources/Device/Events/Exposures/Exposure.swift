/// The installation met its variant of an experiment.
package struct Exposure: Hashable, Codable, Sendable {
    package var experiment: String
    package var variant: String
    /// When the experiment started, in the server's words; nil where it did not say.
    package var start: String?
    /// What was used, such as a model.
    package var source: String
    /// Which state of it. The same exposure is reported once for each.
    package var state: String

    package init(experiment: String, variant: String, start: String? = nil, source: String, state: String) {
        self.experiment = experiment
        self.variant = variant
        self.start = start
        self.source = source
        self.state = state
    }

    var isReportable: Bool { ReportedName.isValid(experiment) && ReportedName.isValid(variant) }
}
