import HearthArguments
import HearthLocalCommands
import HearthWire

/// The audit log for people to read: names instead of ids where something has one.
struct AuditTable {
    let entries: [AuditBodies.Entry]
    /// Whether the entries are of several projects.
    let hasProjects: Bool

    /// - Parameter width: of the terminal; nil shows all, as for a file.
    func text(width: Int?) -> String {
        var table = TextTable(["TIME (UTC)"] + (hasProjects ? ["PROJECT"] : []) + ["WHO", "ACTION", "WHAT", "DETAIL"])
        for entry in entries {
            table.append(
                [String(entry.time.prefix(19)).replacing("T", with: " ")]
                    + (hasProjects ? [entry.projectId ?? "-"] : [])
                    + [who(entry), entry.action, what(entry), entry.detail ?? ""])
        }
        return width.map { table.description(width: $0) } ?? table.description
    }

    private func who(_ entry: AuditBodies.Entry) -> String {
        if let name = entry.actorName { return "token \(name)" }
        return hasProjects ? entry.actor : localName(entry.actor, entry.projectId)
    }

    private func what(_ entry: AuditBodies.Entry) -> String {
        let parts = entry.subject.split(separator: "/", maxSplits: 1).map(String.init)
        guard parts.count == 2, let kind = Self.kinds[parts[0]] else { return entry.subject }
        return "\(kind) \(entry.subjectName ?? localName(parts[1], hasProjects ? nil : entry.projectId))"
    }

    private static let kinds = [
        "models": "model", "apiKeys": "API key", "adminTokens": "token", "serviceAccounts": "account",
        "projects": "project", "files": "file",
    ]

    /// The name of an account of this project, which has its project in its email.
    private func localName(_ text: String, _ project: String?) -> String {
        guard let project, let at = text.firstIndex(of: "@"), text[at...].hasPrefix("@\(project).") else { return text }
        return String(text[..<at])
    }
}
