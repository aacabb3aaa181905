/// An experiment in its stored form. Its variants and metrics are a text here, because only the rules of experiments
/// parse them.
package struct ExperimentRecord: Sendable, Hashable {
    package var projectID: String
    /// Unique in its project.
    package var name: String
    /// The experiment as JSON.
    package var body: String
    package var isRunning: Bool
    /// Nil until it has ended.
    package var endedMicroseconds: Int64?
    package var createdMicroseconds: Int64
    /// The creator: a service account's email, or the name of a token.
    package var createdBy: String

    package init(
        projectID: String, name: String, body: String, isRunning: Bool, endedMicroseconds: Int64? = nil,
        createdMicroseconds: Int64, createdBy: String
    ) {
        self.projectID = projectID
        self.name = name
        self.body = body
        self.isRunning = isRunning
        self.endedMicroseconds = endedMicroseconds
        self.createdMicroseconds = createdMicroseconds
        self.createdBy = createdBy
    }
}

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

/// What one installation logged for one metric.
package struct MetricTotal: Sendable, Hashable {
    package var count: Int
    package var sum: Double

    package init(count: Int, sum: Double) {
        self.count = count
        self.sum = sum
    }
}

/// The totals of one metric over those installations of one variant that logged anything for it.
package struct VariantTotal: Sendable, Hashable {
    package var variant: Int
    package var metric: Int
    package var installations: Int
    /// Those whose sum is not 0.
    package var nonzero: Int
    /// The sums of the installations' sums, and of their squares.
    package var sum: Double
    package var sumOfSquares: Double
    /// The sums of the installations' means, and of their squares.
    package var meanSum: Double
    package var meanSumOfSquares: Double

    package init(
        variant: Int, metric: Int, installations: Int, nonzero: Int, sum: Double, sumOfSquares: Double,
        meanSum: Double, meanSumOfSquares: Double
    ) {
        self.variant = variant
        self.metric = metric
        self.installations = installations
        self.nonzero = nonzero
        self.sum = sum
        self.sumOfSquares = sumOfSquares
        self.meanSum = meanSum
        self.meanSumOfSquares = meanSumOfSquares
    }
}
