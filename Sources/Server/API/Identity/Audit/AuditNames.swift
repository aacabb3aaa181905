import HearthCatalog
import HearthStorage

/// What the things that audit entries name by their ids are called.
struct AuditNames {
    /// By `token:{id}`.
    private(set) var actors: [String: String] = [:]
    /// By `models/{id}`, `apiKeys/{id}` or `adminTokens/{id}`.
    private(set) var subjects: [String: String] = [:]

    init(_ entries: [AuditEntry], _ store: any MetadataReader) throws {
        for actor in Set(entries.map(\.actor)) where actor.hasPrefix("token:") {
            actors[actor] = try store.adminToken(id: String(actor.dropFirst(6)))?.name
        }
        var gone: Set<String> = []
        for entry in entries where subjects[entry.subject] == nil && !gone.contains(entry.subject) {
            let parts = entry.subject.split(separator: "/", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { continue }
            switch parts[0] {
            case "models":
                let model = try Int64(parts[1]).flatMap { try store.model(id: $0, project: entry.projectID) }
                subjects[entry.subject] = model?.displayName
                if model == nil { gone.insert(entry.subject) }
            case "apiKeys": subjects[entry.subject] = try store.apiKey(id: parts[1], project: entry.projectID)?.name
            case "adminTokens": subjects[entry.subject] = try store.adminToken(id: parts[1])?.name
            default: break
            }
        }
        guard !gone.isEmpty else { return }
        var deletions = AuditFilter()
        deletions.action = "model.delete"
        deletions.subjects = gone
        for entry in try store.audit(project: nil, matching: deletions, before: nil, limit: gone.count) {
            subjects[entry.subject] = entry.detail
        }
    }
}
