import HearthWire

/// Projects, and the record of who changed what.
extension AdminClient {
    func projects() throws -> [ProjectBodies.Resource] {
        try call(ProjectBodies.List.self, .get("/hearth/v1/projects")).projects ?? []
    }

    func project(_ id: String) throws -> ProjectBodies.Resource {
        try call(.get("/hearth/v1/projects/\(AdminRequest.encoded(id))"))
    }

    func createProject(_ id: String) throws -> ProjectBodies.CreateResponse {
        try call(.change("POST", "/hearth/v1/projects", body: ProjectBodies.CreateRequest(projectId: id)))
    }

    func deleteProject(_ id: String) throws {
        try perform(.change("DELETE", "/hearth/v1/projects/\(AdminRequest.encoded(id))"))
    }

    /// The newest `limit` entries, newest first; `project` nil for those of all projects.
    ///
    /// - Parameter filters: query items as in `AuditBodies.List`.
    func audit(
        project: String?, filters: [(String, String?)] = [], limit: Int
    ) throws -> [AuditBodies.Entry] {
        let path = project.map { "/hearth/v1/projects/\(AdminRequest.encoded($0))/audit" } ?? "/hearth/v1/audit"
        var entries: [AuditBodies.Entry] = []
        var token: String?
        repeat {
            let wanted = String(min(limit - entries.count, 1000))
            let page: AuditBodies.List = try call(
                .get(path, query: [("pageSize", wanted), ("pageToken", token)] + filters))
            entries += page.entries ?? []
            token = page.nextPageToken
        } while token != nil && entries.count < limit
        return Array(entries.prefix(limit))
    }
}
