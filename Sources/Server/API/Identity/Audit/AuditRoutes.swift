import HearthCatalog
import HearthHTTP
import HearthIdentity
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
                // A rare word makes the database look through the whole log.
                context.inTurn(
                    head, check: { try context.admin(head, project: path["project"], atLeast: .owner) }
                ) { call, head, _ in
                    try page(head.query, project: call.project.id, since: Self.start(of: call))
                }
            },
            Route(.get, "hearth/v1/audit") { head, _ in
                context.inTurn(head, check: { try context.operatorCall(head) }) { _, head, _ in
                    try page(head.query, project: nil, since: nil)
                }
            },
        ]
    }

    /// A deleted project may have had the same id: what was done in that one is nothing to the owners of this one.
    private static func start(of call: AdminCall) -> Int64? {
        call.principal.isOperator ? nil : call.project.createdMicroseconds
    }

    private func page(_ query: QueryItems, project: String?, since: Int64?) throws -> Response {
        let page = try PageRequest(query, limit: context.services.limits.pageSize)
        let question = try AuditQuestion(query, since: since)
        return try context.services.metadata.read { store in
            // One more than the page tells whether there is a next one.
            let found =
                try question.filter(project: project, store).map {
                    try store.audit(
                        project: project, matching: $0, before: page.after == 0 ? nil : page.after,
                        limit: page.size + 1)
                } ?? []
            let entries = found.prefix(page.size)
            let names = try AuditNames(Array(entries), since: since, store)
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
            subjectName: names.subject(of: entry), detail: entry.detail.isEmpty ? nil : entry.detail)
    }
}
