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
                [Moment.short(entry.time)]
                    + (hasProjects ? [entry.projectId ?? "-"] : [])
                    + [who(entry), entry.action, what(entry), entry.detail ?? ""])
        }
        guard let width else { return table.description }
        return table.description(width: width, longestCell: max(16, width / 4))
    }

    private func who(_ entry: AuditBodies.Entry) -> String {
        entry.actorName.map { "token \($0)" } ?? Self.account(entry.actor, entry.projectId)
    }

    private func what(_ entry: AuditBodies.Entry) -> String {
        let subject = entry.subject
        // An uploaded file: its hash is among the details.
        if subject.hasPrefix("gs://") { return "file \(subject.split(separator: "/").last ?? "")" }
        let parts = subject.split(separator: "/", maxSplits: 1).map(String.init)
        guard parts.count == 2, let kind = Self.kinds[parts[0]] else { return subject }
        return "\(kind) \(entry.subjectName ?? Self.account(parts[1], entry.projectId))"
    }

    private static let kinds = [
        "models": "model", "apiKeys": "API key", "adminTokens": "token", "serviceAccounts": "account",
        "projects": "project", "files": "file",
    ]

    /// `ci` for an account of this project, `ci@other` for one of another; other texts as they are.
    private static func account(_ text: String, _ project: String?) -> String {
        guard text.hasSuffix(emailEnding) else { return text }
        let name = text.dropLast(emailEnding.count)
        guard let project, name.hasSuffix("@\(project)") else { return String(name) }
        return String(name.dropLast(project.count + 1))
    }

    private static let emailEnding = ".iam.hearth.invalid"
}
