/// Bodies of `/hearth/v1/projects/{project}/audit` and, for all projects, `/hearth/v1/audit`.
package enum AuditBodies {
    package struct Entry: Codable, Sendable, Equatable {
        package var id: String
        package var time: String
        /// Absent for changes of the server as a whole.
        package var projectId: String?
        /// A service account's email, `token:{id}`, or a part of the server itself.
        package var actor: String
        /// What a token is called.
        package var actorName: String?
        package var action: String
        /// Such as `models/1000001`.
        package var subject: String
        /// What a model, a key or a token is called, or was when it was deleted.
        package var subjectName: String?
        package var detail: String?

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
