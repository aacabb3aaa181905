/// One row per state change: who did what to what, and when.
public struct AuditEntry: Sendable, Hashable {
    /// Given by the store, growing; 0 before that.
    public var id: Int64
    /// Empty for changes of the server as a whole.
    public var projectID: String
    public var actor: String
    /// For example `model.create`, `model.publish`.
    public var action: String
    /// For example `models/1000001`.
    public var subject: String
    public var detail: String
    public var atMicroseconds: Int64

    public init(
        id: Int64 = 0, projectID: String, actor: String, action: String, subject: String, detail: String,
        atMicroseconds: Int64
    ) {
        self.id = id
        self.projectID = projectID
        self.actor = actor
        self.action = action
        self.subject = subject
        self.detail = detail
        self.atMicroseconds = atMicroseconds
    }
}

/// Which entries of the audit log somebody asks for; what is empty or nil holds back nothing.
public struct AuditFilter: Sendable, Hashable {
    /// Any of them.
    public var actors: Set<String> = []
    /// The action itself, or what all of several begin with before a dot: `model` for `model.create` and `model.publish`.
    public var action: String?
    /// Any of them.
    public var subjects: Set<String> = []
    public var detail: String?
    /// Inclusive.
    public var fromMicroseconds: Int64?
    /// Exclusive.
    public var untilMicroseconds: Int64?

    public init() {}
}
