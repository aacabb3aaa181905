/// An experiment as it is stored. What it says of variants and metrics is a text here, because only the rules of
/// experiments read it.
public struct ExperimentRecord: Sendable, Hashable {
    public var projectID: String
    /// Unique in its project.
    public var name: String
    /// The experiment as JSON.
    public var body: String
    public var isRunning: Bool
    public var createdMicroseconds: Int64
    /// Who made it: a service account's email, or the name of a token.
    public var createdBy: String

    public init(
        projectID: String, name: String, body: String, isRunning: Bool, createdMicroseconds: Int64, createdBy: String
    ) {
        self.projectID = projectID
        self.name = name
        self.body = body
        self.isRunning = isRunning
        self.createdMicroseconds = createdMicroseconds
        self.createdBy = createdBy
    }
}

/// An installation that met its variant of an experiment, written down at the first time.
public struct ExperimentUnit: Sendable, Hashable {
    public var projectID: String
    public var experiment: String
    public var installation: String
    /// The variant's place in the experiment, from 0.
    public var variant: Int
    /// By the server's clock, when it learned of it.
    public var exposedMicroseconds: Int64
    /// What was counted since, by the metric's place in the experiment.
    public var totals: [Int: MetricTotal]

    public init(
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
public struct MetricTotal: Sendable, Hashable {
    public var count: Int
    public var sum: Double

    public init(count: Int, sum: Double) {
        self.count = count
        self.sum = sum
    }
}

/// What the installations of one variant logged for one metric, of those that logged anything.
public struct VariantTotal: Sendable, Hashable {
    public var variant: Int
    public var metric: Int
    public var installations: Int
    /// Of the installations' sums, and of their squares.
    public var sum: Double
    public var sumOfSquares: Double
    /// Of the installations' means, and of their squares.
    public var meanSum: Double
    public var meanSumOfSquares: Double

    public init(
        variant: Int, metric: Int, installations: Int, sum: Double, sumOfSquares: Double, meanSum: Double,
        meanSumOfSquares: Double
    ) {
        self.variant = variant
        self.metric = metric
        self.installations = installations
        self.sum = sum
        self.sumOfSquares = sumOfSquares
        self.meanSum = meanSum
        self.meanSumOfSquares = meanSumOfSquares
    }
}
