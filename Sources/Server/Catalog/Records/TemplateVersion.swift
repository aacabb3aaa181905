/// One version of a Remote Config template.
public struct TemplateVersion: Sendable, Hashable {
    public enum Origin: String, Sendable, Hashable {
        case console = "CONSOLE"
        case rest = "REST_API"
        case node = "ADMIN_SDK_NODE"
    }

    public enum Kind: String, Sendable, Hashable {
        case incremental = "INCREMENTAL_UPDATE"
        /// Whoever made it did not look at what there was.
        case forced = "FORCED_UPDATE"
        case rollback = "ROLLBACK"
    }

    public var projectID: String
    /// `firebase` or `firebase-server`.
    public var namespace: String
    /// 1, 2, 3 … within project and namespace; the highest is the active one.
    public var number: Int64
    /// The template as JSON, without its version.
    public var body: String
    public var createdMicroseconds: Int64
    /// Who made it: a service account's email, or the name of a token.
    public var createdBy: String
    public var description: String
    public var origin: Origin
    public var kind: Kind
    /// The version that a rollback brought back.
    public var rollbackSource: Int64?

    public init(
        projectID: String, namespace: String, number: Int64, body: String, createdMicroseconds: Int64,
        createdBy: String, description: String = "", origin: Origin = .rest, kind: Kind = .incremental,
        rollbackSource: Int64? = nil
    ) {
        self.projectID = projectID
        self.namespace = namespace
        self.number = number
        self.body = body
        self.createdMicroseconds = createdMicroseconds
        self.createdBy = createdBy
        self.description = description
        self.origin = origin
        self.kind = kind
        self.rollbackSource = rollbackSource
    }
}
