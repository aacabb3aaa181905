import HearthApp
import HearthWire

/// The exposure of this installation to its variant of an experiment.
package struct Exposure: Hashable, Codable, Sendable {
    package var experiment: String
    package var variant: String
    /// When the experiment started, in the server's own form; nil when the server does not send it.
    package var start: String?
    /// The object that was used, such as a model.
    package var source: String
    /// The state of that object. The same exposure is reported once for each state.
    package var state: String

    package init(experiment: String, variant: String, start: String? = nil, source: String, state: String) {
        self.experiment = experiment
        self.variant = variant
        self.start = start
        self.source = source
        self.state = state
    }

    var isReportable: Bool { WireNames.isDisplayName(experiment) && WireNames.isDisplayName(variant) }
}
