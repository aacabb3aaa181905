import HearthCatalog
import HearthHTTP
import HearthStorage
import HearthWire

/// Which entries a caller asks for, in the names that people use.
struct AuditQuestion {
    private let actor: String?
    private let action: String?
    private let model: String?
    /// From when on the caller may look.
    private let since: Int64?
    private let start: Timestamp?
    private let end: Timestamp?

    /// - Parameter since: from when on the caller may look; nil for everything.
    init(_ query: QueryItems, since: Int64?) throws(APIError) {
        self.since = since
        func text(_ name: String) -> String? { query.first(name).flatMap { $0.isEmpty ? nil : $0 } }
        func time(_ name: String) throws(APIError) -> Timestamp? {
            guard let text = text(name) else { return nil }
            guard let time = Timestamp(rfc3339: text) else {
                let form = "This must be a time such as 2026-12-01T09:00:00Z."
                throw .invalid(name, form, message: "\(name): \(form)")
            }
            return time
        }
        actor = text("actor")
        action = text("action")
        model = text("model")
        start = try time("startTime")
        end = try time("endTime")
    }

    /// The same in the words of the records; nil when no entry can be meant.
    ///
    /// - Parameter project: nil for all.
    func filter(project: String?, _ store: any MetadataReader) throws -> AuditFilter? {
        var filter = AuditFilter()
        filter.action = action
        filter.fromMicroseconds = [start?.microseconds, since].compactMap(\.self).max()
        filter.untilMicroseconds = end?.microseconds
        if let actor { filter.actors = try Self.actors(named: actor, store) }
        if let model {
            filter.subjects = try models(named: model, project: project, store)
            if filter.subjects.isEmpty { return nil }
        }
        return filter
    }

    private static func actors(named text: String, _ store: any MetadataReader) throws -> Set<String> {
        let accounts = try store.serviceAccounts().map(\.email).filter { $0.hasPrefix(text + "@") }
        let tokens = try store.adminTokens().filter { $0.name == text || $0.id == text }.map { "token:\($0.id)" }
        return Set(accounts + tokens + [text])
    }

    /// Also models of that name that were deleted.
    private func models(
        named text: String, project: String?, _ store: any MetadataReader
    ) throws -> Set<String> {
        var subjects: Set<String> = []
        if Names.modelID(text) != nil { subjects.insert("models/\(text)") }
        for project in try project.map({ [$0] }) ?? store.projects().map(\.id) {
            if let model = try store.model(displayName: text, project: project) {
                subjects.insert("models/\(model.id)")
            }
        }
        var deletions = AuditFilter()
        deletions.action = "model.delete"
        deletions.detail = text
        deletions.fromMicroseconds = since
        let deleted = try store.audit(project: project, matching: deletions, before: nil, limit: Self.mostDeleted)
        return subjects.union(deleted.map(\.subject))
    }

    /// Deleted models of one name that are looked for.
    private static let mostDeleted = 100
}
