import HearthWire

/// Bodies of `/hearth/v1/projects/{project}/audit` and, for all projects, `/hearth/v1/audit`.
public enum AuditBodies {
    /// A change, or a refused attempt to make one.
    public struct Entry: Codable, Sendable, Equatable {
        /// The entry's id.
        public var id: String
        /// The time of the change, RFC 3339.
        public var time: String
        /// Absent for changes of the server as a whole.
        public var projectId: String?
        /// A service account's email, `token:{id}`, or a part of the server itself.
        public var actor: String
        /// The token's name.
        public var actorName: String?
        /// The action, such as `model.publish`; `access.refuse` for a refusal.
        public var action: String
        /// The object of the change, such as `models/1000001`.
        public var subject: String
        /// The name of the model, key or token, even if it was deleted later.
        public var subjectName: String?
        /// Further details for readers.
        public var detail: String?

        package init(
            id: String, time: String, projectId: String?, actor: String, actorName: String? = nil, action: String,
            subject: String, subjectName: String? = nil, detail: String?
        ) {
            self.id = id
            self.time = time
            self.projectId = projectId
            self.actor = actor
            self.actorName = actorName
            self.action = action
            self.subject = subject
            self.subjectName = subjectName
            self.detail = detail
        }
    }

    /// A page of entries, newest first. The call takes `pageSize` and `pageToken`, and these filters: `actor` (an
    /// email, the part before its `@`, a token's id or name), `action` (`model.publish`, or `model` for all actions
    /// that begin with it), `model` (display name or id), `startTime` (inclusive) and `endTime` (exclusive), both RFC
    /// 3339.
    package struct List: Codable, Sendable {
        package var entries: [Entry]?
        package var nextPageToken: String?

        package init(entries: [Entry]?, nextPageToken: String?) {
            self.entries = entries
            self.nextPageToken = nextPageToken
        }
    }
}
