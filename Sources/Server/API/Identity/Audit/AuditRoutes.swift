import HearthCatalog
import HearthHTTP
import HearthStorage
import HearthWire

/// Who changed what, or tried to: of a project, for its owners; of the whole server, for operators. Newest first, in
/// pages.
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
        let question = try AuditQuestion(query)
        return try context.services.metadata.read { store in
            // One more than the page tells whether there is a next one.
            let found =
                try question.filter(project: project, store).map {
                    try store.audit(
                        project: project, matching: $0, before: page.after == 0 ? nil : page.after,
                        limit: page.size + 1)
                } ?? []
            let entries = found.prefix(page.size)
            let names = try AuditNames(Array(entries), store)
            return try context.json(
                AuditBodies.List(
                    entries: entries.isEmpty ? nil : entries.map { AuditBodies.Entry($0, names) },
                    nextPageToken: found.count > page.size ? entries.last.map { String($0.id) } : nil))
        }
    }
}

extension AuditBodies.Entry {
    fileprivate init(_ entry: AuditEntry, _ names: AuditNames) {
        self.init(
            id: String(entry.id), time: WireTime.text(entry.atMicroseconds),
            projectId: entry.projectID.isEmpty ? nil : entry.projectID, actor: entry.actor,
            actorName: names.actors[entry.actor], action: entry.action, subject: entry.subject,
            subjectName: names.subjects[entry.subject], detail: entry.detail.isEmpty ? nil : entry.detail)
    }
}
