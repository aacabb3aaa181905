/// Bodies of `/hearth/v1/projects/{project}/audit` and, for all projects, `/hearth/v1/audit`.
public enum AuditBodies {
    /// One change, or one that was refused.
    public struct Entry: Codable, Sendable, Equatable {
        /// The entry's id.
        public var id: String
        /// When it was, RFC 3339.
        public var time: String
        /// Absent for changes of the server as a whole.
        public var projectId: String?
        /// A service account's email, `token:{id}`, or a part of the server itself.
        public var actor: String
        /// What a token is called.
        public var actorName: String?
        /// What was done, such as `model.publish`; `access.refuse` for what was refused.
        public var action: String
        /// Such as `models/1000001`.
        public var subject: String
        /// What a model, a key or a token is called, or was when it was deleted.
        public var subjectName: String?
        /// More about it, for people.
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

    /// Newest first; takes `pageSize` and `pageToken`, and may be narrowed down: `actor` (an email, the part before its
    /// `@`, a token's id or name), `action` (`model.publish`, or `model` for all that begin so), `model` (display name or
    /// id), `startTime` (inclusive) and `endTime` (exclusive), both RFC 3339.
    package struct List: Codable, Sendable {
        package var entries: [Entry]?
        package var nextPageToken: String?

        package init(entries: [Entry]?, nextPageToken: String?) {
            self.entries = entries
            self.nextPageToken = nextPageToken
        }
    }
}
