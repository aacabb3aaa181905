import HearthCatalog
import HearthHTTP
import HearthStorage
import HearthWire

/// Who changed what: of a project, for its owners; of the whole server, for operators. Newest first, in pages.
struct AuditRoutes {
    private let context: RouteContext

    init(_ context: RouteContext) { self.context = context }

    private static let pageSizeLimit = 1000

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
        let size =
            try Self.number("pageSize", in: query).flatMap { $0 == 0 ? nil : $0 }
            .map { Int(min($0, Int64(Self.pageSizeLimit))) } ?? context.services.limits.pageSize
        let before = try Self.number("pageToken", in: query)
        // One more than the page tells whether there is a next one.
        let found = try context.services.metadata.read {
            try $0.audit(project: project, before: before, limit: size + 1)
        }
        let entries = found.prefix(size).map { AuditBodies.Entry($0) }
        return try context.json(
            AuditBodies.List(
                entries: entries.isEmpty ? nil : entries, nextPageToken: found.count > size ? entries.last?.id : nil))
    }

    private static func number(_ name: String, in query: QueryItems) throws(APIError) -> Int64? {
        guard let text = query.first(name), !text.isEmpty else { return nil }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(text) else {
            throw .invalidArgument
        }
        return number
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
