import HearthCalls
import HearthRemoteConfigTemplates
import HearthWire

/// Entries of the audit log as a table.
struct AuditTable {
    let request: PageRequest
    /// Whether the entries are from several projects.
    let showsProject: Bool

    func markup(_ entries: [AuditBodies.Entry]) -> Markup {
        let columns = ["Time"] + (showsProject ? ["Project"] : []) + ["Who", "Action", "What", "Detail"]
        return div(.class("log")) {
            DataTable("Entries of the audit log, newest first", columns).rows(entries) { entry in cells(entry) }
        }
    }

    private func cells(_ entry: AuditBodies.Entry) -> [Markup] {
        var cells = [Times.moment(entry.time)]
        if showsProject { cells.append(.text(entry.projectId ?? "server")) }
        let isRefusal = entry.action == "access.refuse"
        cells.append(.text(who(entry)))
        cells.append(isRefusal ? Badge.mark(entry.action, .warning) : code { entry.action })
        return cells + [subject(entry), detail(entry)]
    }

    private func who(_ entry: AuditBodies.Entry) -> String {
        entry.actorName.map { "token \($0)" } ?? ServiceAccountName.short(entry.actor, project: entry.projectId)
    }

    /// The thing, linked to its page where there is one.
    private func subject(_ entry: AuditBodies.Entry) -> Markup {
        let text = name(entry)
        guard let link = SubjectLink.link(entry.subject, project: entry.projectId, request.site) else {
            return text == entry.subject ? .text(text) : span(Attribute("title", entry.subject)) { text }
        }
        return a(link) { text }
    }

    private func name(_ entry: AuditBodies.Entry) -> String {
        if let file = FileName.of(entry.subject) { return "file \(file)" }
        if let (template, number) = TemplateVersionName.of(entry.subject) {
            return "\(template == .client ? "Remote Config" : "Remote Config for servers"), version \(number)"
        }
        let parts = entry.subject.split(separator: "/", maxSplits: 1).map(String.init)
        guard parts.count == 2, let kind = Self.kinds[parts[0]] else { return entry.subject }
        return "\(kind) \(entry.subjectName ?? ServiceAccountName.short(parts[1], project: entry.projectId))"
    }

    private static let kinds = [
        "models": "model", "apiKeys": "API key", "adminTokens": "token", "serviceAccounts": "account",
        "projects": "project", "consoleSessions": "session", "files": "file", "experiments": "experiment",
    ]

    /// A change from one value to another shows both as such.
    private func detail(_ entry: AuditBodies.Entry) -> Markup {
        let detail = entry.detail ?? ""
        guard let change = Self.change(in: detail) else { return .text(detail) }
        return .joined {
            change.lead
            Markup.element("del", [.class("removed")], .text(change.before))
            " → "
            Markup.element("ins", [.class("added")], .text(change.after))
        }
    }

    /// The parts of `lead: before -> after`; nil for a text of another form.
    static func change(in detail: String) -> (lead: String, before: String, after: String)? {
        guard let arrow = detail.firstRange(of: " -> ") else { return nil }
        let (left, after) = (detail[..<arrow.lowerBound], detail[arrow.upperBound...])
        // Several changes in one text are left as they are.
        guard !left.isEmpty, !after.isEmpty, after.firstRange(of: " -> ") == nil else { return nil }
        guard let colon = left.ranges(of: ": ").last else { return ("", String(left), String(after)) }
        return (String(left[..<colon.upperBound]), String(left[colon.upperBound...]), String(after))
    }
}

/// The page about the subject of an audit entry.
enum SubjectLink {
    /// Nil where there is no page: for other things, and for what belongs to no project.
    static func link(_ subject: String, project: String?, _ site: Site) -> Link? {
        guard let project else { return nil }
        let parts = subject.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 2, parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else { return nil }
        let root = ["projects", project]
        switch (parts[0], parts.count) {
        case ("models", 2), ("experiments", 2): return site.link(root + parts)
        case ("models", 4) where parts[2] == "releases": return site.link(root + parts)
        case ("models", _): return site.link(root + parts.prefix(2))
        case ("apiKeys", 2): return site.link(root + ["keys", "apps", parts[1]])
        case ("serviceAccounts", 2): return site.link(root + ["keys", "accounts", parts[1]])
        case ("adminTokens", 2): return site.link(root + ["keys"])
        case ("namespaces", 4):
            return TemplateVersionName.of(subject).map { template, number in
                site.link(root + [ConfigScope.root(template), "versions", number])
            }
        case ("projects", 2): return site.link(root + [""])
        default: return nil
        }
    }
}

/// A version of a template, which the log names `namespaces/firebase/versions/3`.
enum TemplateVersionName {
    /// Nil for other subjects.
    static func of(_ subject: String) -> (template: TemplateNamespace, number: String)? {
        let parts = subject.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4, parts[0] == "namespaces", parts[2] == "versions", Int(parts[3]) != nil,
            let template = TemplateNamespace(rawValue: parts[1])
        else { return nil }
        return (template, parts[3])
    }
}
