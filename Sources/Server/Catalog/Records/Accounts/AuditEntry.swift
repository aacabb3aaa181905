/// One entry of the audit log, for one state change: who did what to what, and when.
package struct AuditEntry: Sendable, Hashable {
    /// The store assigns ids, which grow; 0 before that.
    package var id: Int64
    /// Empty for changes of the whole server.
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

/// A filter for entries of the audit log. Empty and nil members filter nothing.
package struct AuditFilter: Sendable, Hashable {
    /// Entries of any of these actors.
    package var actors: Set<String> = []
    /// The action, or the part before the dot that several actions share: `model` for `model.create` and
    /// `model.publish`.
    package var action: String?
    /// Entries about any of these subjects.
    package var subjects: Set<String> = []
    package var detail: String?
    /// Inclusive.
    package var fromMicroseconds: Int64?
    /// Exclusive.
    package var untilMicroseconds: Int64?

    package init() {}
}
