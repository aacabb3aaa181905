import HearthCatalog
import HearthHTTP
import HearthStorage
import HearthWire

/// Who changed what: of a project, for its owners; of the whole server, for operators. Newest first, in pages.
struct AuditRoutes {
    private let context: RouteContext

    init(_ context: RouteContext) { self.context = context }

    var routes: [Route] {
        [
            Route(.get, "hearth/v1/projects/{project}/audit") { head, path in
                context.answer(head) {
                    let call = try context.admin(head, project: path["project"], atLeast: .owner)
                    return try page(head.query, project: call.project.id)
                }
            },
            Route(.get, "hearth/v1/audit") { head, _ in
                context.answer(head) {
                    _ = try context.operatorCall(head)
                    return try page(head.query, project: nil)
                }
            },
        ]
    }

    private func page(_ query: QueryItems, project: String?) throws -> Response {
        let page = try PageRequest(query, limit: context.services.limits.pageSize)
        // One more than the page tells whether there is a next one.
        let found = try context.services.metadata.read {
            try $0.audit(project: project, before: page.after == 0 ? nil : page.after, limit: page.size + 1)
        }
        let entries = found.prefix(page.size).map { AuditBodies.Entry($0) }
        return try context.json(
            AuditBodies.List(
                entries: entries.isEmpty ? nil : entries,
                nextPageToken: found.count > page.size ? entries.last?.id : nil))
    }
}

extension AuditBodies.Entry {
    fileprivate init(_ entry: AuditEntry) {
        self.init(
            id: String(entry.id), time: WireTime.text(entry.atMicroseconds),
            projectId: entry.projectID.isEmpty ? nil : entry.projectID, actor: entry.actor, action: entry.action,
            subject: entry.subject, detail: entry.detail.isEmpty ? nil : entry.detail)
    }
}
