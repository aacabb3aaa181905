/// The first exposure of an installation to its variant of an experiment.
package struct ExperimentUnit: Sendable, Hashable {
    package var projectID: String
    package var experiment: String
    package var installation: String
    /// The variant's index in the experiment, from 0.
    package var variant: Int
    /// When the server learned of it, by its own clock.
    package var exposedMicroseconds: Int64
    /// What was counted since, by the metric's index in the experiment.
    package var totals: [Int: MetricTotal]

    package init(
        projectID: String, experiment: String, installation: String, variant: Int, exposedMicroseconds: Int64,
        totals: [Int: MetricTotal] = [:]
    ) {
        self.projectID = projectID
        self.experiment = experiment
        self.installation = installation
        self.variant = variant
        self.exposedMicroseconds = exposedMicroseconds
        self.totals = totals
    }
}
