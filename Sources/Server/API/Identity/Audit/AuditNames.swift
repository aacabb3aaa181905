import HearthCatalog
import HearthStorage

/// What the things that audit entries name by their ids are called.
struct AuditNames {
    /// By `token:{id}`.
    private(set) var actors: [String: String] = [:]
    private var subjects: [Subject: String] = [:]

    /// `models/{id}`, `apiKeys/{id}` or `adminTokens/{id}`. Together with the project: a refused call may have named the
    /// model of another, and nobody learns what that is called.
    private struct Subject: Hashable {
        var projectID: String
        var text: String

        init(_ entry: AuditEntry) { (projectID, text) = (entry.projectID, entry.subject) }
    }

    func subject(of entry: AuditEntry) -> String? { subjects[Subject(entry)] }

    /// - Parameter since: from when on the caller may look; nil for everything.
    init(_ entries: [AuditEntry], since: Int64?, _ store: any MetadataReader) throws {
        for actor in Set(entries.map(\.actor)) where actor.hasPrefix("token:") {
            actors[actor] = try store.adminToken(id: String(actor.dropFirst(6)))?.name
        }
        var gone: Set<Subject> = []
        for entry in entries {
            let subject = Subject(entry)
            guard subjects[subject] == nil, !gone.contains(subject) else { continue }
            let parts = entry.subject.split(separator: "/", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { continue }
            switch parts[0] {
            case "models":
                let model = try Int64(parts[1]).flatMap { try store.model(id: $0, project: entry.projectID) }
                subjects[subject] = model?.displayName
                if model == nil { gone.insert(subject) }
            case "apiKeys": subjects[subject] = try store.apiKey(id: parts[1], project: entry.projectID)?.name
            case "adminTokens": subjects[subject] = try store.adminToken(id: parts[1])?.name
            default: break
            }
        }
        guard !gone.isEmpty else { return }
        var deletions = AuditFilter()
        deletions.action = "model.delete"
        deletions.subjects = Set(gone.map(\.text))
        deletions.fromMicroseconds = since
        for entry in try store.audit(project: nil, matching: deletions, before: nil, limit: gone.count)
        where gone.contains(Subject(entry)) {
            subjects[Subject(entry)] = entry.detail
        }
    }
}
