/// Bodies of `/hearth/v1/projects/{project}/audit` and, for all projects, `/hearth/v1/audit`.
public enum AuditBodies {
    public struct Entry: Codable, Sendable, Equatable {
        public var id: String
        public var time: String
        /// Absent for changes of the server as a whole.
        public var projectId: String?
        public var actor: String
        public var action: String
        public var subject: String
        public var detail: String?

        public init(
            id: String, time: String, projectId: String?, actor: String, action: String, subject: String,
            detail: String?
        ) {
            self.id = id
            self.time = time
            self.projectId = projectId
            self.actor = actor
            self.action = action
            self.subject = subject
            self.detail = detail
        }
    }

    /// Newest first; takes `pageSize` and `pageToken`.
    public struct List: Codable, Sendable {
        public var entries: [Entry]?
        public var nextPageToken: String?

        public init(entries: [Entry]?, nextPageToken: String?) {
            self.entries = entries
            self.nextPageToken = nextPageToken
        }
    }
}
