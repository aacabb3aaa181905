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
