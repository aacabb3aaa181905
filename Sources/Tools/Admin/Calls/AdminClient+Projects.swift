public import HearthCalls
import HearthWire

/// Projects, and the audit log.
extension AdminClient {
    /// The projects of the credentials.
    ///
    /// - Throws: ``AdminError``.
    public func projects() throws(AdminError) -> [ProjectBodies.Resource] {
        try call(ProjectCalls.list).projects ?? []
    }

    /// The project with this id.
    ///
    /// - Throws: ``AdminError``.
    public func project(_ id: String) throws(AdminError) -> ProjectBodies.Resource {
        try call(ProjectCalls.get, id)
    }

    /// Makes a project, its first owner and the API key of its first app. For operators.
    ///
    /// - Parameter id: 6 to 30 lower-case letters, digits or hyphens.
    /// - Returns: the project with its keys, secrets that the server shows only once.
    /// - Throws: ``AdminError``.
    public func createProject(_ id: String) throws(AdminError) -> ProjectBodies.CreateResponse {
        try call(ProjectCalls.create, body: ProjectBodies.CreateRequest(projectId: id))
    }

    /// Deletes a project that has no models, with its keys, accounts and uploads. For operators.
    ///
    /// - Throws: ``AdminError``.
    public func deleteProject(_ id: String) throws(AdminError) {
        try perform(ProjectCalls.delete, id)
    }

    /// A filter of the audit log. A nil value excludes nothing.
    public struct AuditFilter: Hashable, Sendable {
        /// A service account's email or name, or a token's id or name.
        public var actor: String?
        /// An action such as `model.publish`, or a kind such as `model` for all actions that begin with it.
        public var action: String?
        /// A model's display name or id.
        public var model: String?
        /// The earliest time, RFC 3339.
        public var startTime: String?
        /// The time before which the entries were made, RFC 3339.
        public var endTime: String?

        /// A filter; without arguments, it excludes nothing.
        public init(
            actor: String? = nil, action: String? = nil, model: String? = nil, startTime: String? = nil,
            endTime: String? = nil
        ) {
            self.actor = actor
            self.action = action
            self.model = model
            self.startTime = startTime
            self.endTime = endTime
        }

        var query: [(String, String?)] {
            [("actor", actor), ("action", action), ("model", model), ("startTime", startTime), ("endTime", endTime)]
        }
    }

    /// The newest entries of the audit log, newest first.
    ///
    /// - Parameters:
    ///   - project: the project's id; nil for the entries of all projects and of the server itself.
    ///   - limit: the most entries, 1 or more.
    /// - Throws: ``AdminError``.
    public func auditEntries(
        ofProject project: String?, filter: AuditFilter = AuditFilter(), limit: Int
    ) throws(AdminError) -> [AuditBodies.Entry] {
        try items(of: AuditBodies.List.self, limit: limit, pageSize: 1000) { page in
            let query = page + filter.query
            guard let project else { return AdminRequest(AuditCalls.list, query: query) }
            return AdminRequest(AuditCalls.listOfProject, [project], query: query)
        }
    }
}

extension AuditBodies.List: AdminPage {
    var items: [AuditBodies.Entry]? { entries }
}
