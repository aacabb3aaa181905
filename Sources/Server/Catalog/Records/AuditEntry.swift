/// One row per state change: who did what to what, and when.
package struct AuditEntry: Sendable, Hashable {
    /// Given by the store, growing; 0 before that.
    package var id: Int64
    /// Empty for changes of the server as a whole.
    package var projectID: String
    package var actor: String
    /// For example `model.create`, `model.publish`.
    package var action: String
    /// For example `models/1000001`.
    package var subject: String
    package var detail: String
    package var atMicroseconds: Int64

    package init(
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
package struct AuditFilter: Sendable, Hashable {
    /// Any of them.
    package var actors: Set<String> = []
    /// The action itself, or what all of several begin with before a dot: `model` for `model.create` and `model.publish`.
    package var action: String?
    /// Any of them.
    package var subjects: Set<String> = []
    package var detail: String?
    /// Inclusive.
    package var fromMicroseconds: Int64?
    /// Exclusive.
    package var untilMicroseconds: Int64?

    package init() {}
}
