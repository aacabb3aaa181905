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

/// What one installation logged for one metric.
package struct MetricTotal: Sendable, Hashable {
    package var count: Int
    package var sum: Double

    package init(count: Int, sum: Double) {
        self.count = count
        self.sum = sum
    }
}
