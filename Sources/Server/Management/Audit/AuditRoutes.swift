import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthRouting
import HearthStorage
import HearthWire

/// The audit log: who changed what, or tried to. Owners read the entries of their project, operators those of the whole
/// server. Newest first, in pages.
struct AuditRoutes {
    private let context: RouteContext

    init(_ context: RouteContext) { self.context = context }

    var routes: [CallRoute] {
        [
            // A filter that matches few entries makes the database read the whole log.
            context.on(AuditCalls.listOfProject) { (call: ReadCall) in
                try page(call, project: call.project.id, since: Self.start(of: call))
            },
            context.on(AuditCalls.list) { (call: ServerReadCall) in try page(call, project: nil, since: nil) },
        ]
    }

    /// A deleted project may have had the same id. Its entries do not concern the owners of this project.
    private static func start(of call: ReadCall) -> Int64? {
        call.principal.isOperator ? nil : call.project.createdMicroseconds
    }

    private func page(_ call: some DatabaseCall, project: String?, since: Int64?) throws -> AuditBodies.List {
        let page = try PageQuery(call.query, limit: context.services.limits.pageSize)
        let question = try AuditQuery(call.query, since: since)
        return try call.read { store in
            // One entry more than the page shows whether there is a next page.
            let found =
                try question.filter(project: project, store).map {
                    try store.audit(
                        project: project, matching: $0, before: page.after == 0 ? nil : page.after,
                        limit: page.size + 1)
                } ?? []
            let entries = found.prefix(page.size)
            let names = try AuditNames(Array(entries), since: since, store)
            return AuditBodies.List(
                entries: entries.isEmpty ? nil : entries.map { AuditBodies.Entry($0, names) },
                nextPageToken: found.count > page.size ? entries.last.map { String($0.id) } : nil)
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

/// The filter of a caller, in the names that people use.
struct AuditQuery {
    private let actor: String?
    private let action: String?
    private let model: String?
    /// The earliest time that the caller may read, in microseconds since 1970; nil for everything.
    private let since: Int64?
    private let start: Timestamp?
    private let end: Timestamp?

    /// - Parameter since: the earliest time that the caller may read, in microseconds since 1970; nil for everything.
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

    /// What is asked for, in the terms of the records; nil when no entry can match.
    ///
    /// - Parameter project: nil for all projects.
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

    /// The models of that name, deleted ones included. `models/12` is the one with that id, and looks up nothing.
    private func models(
        named text: String, project: String?, _ store: any MetadataReader
    ) throws -> Set<String> {
        if text.hasPrefix("models/") { return [text] }
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

    /// The largest number of deleted models of one name that a filter covers.
    private static let mostDeleted = 100
}

/// The names of the things that audit entries refer to by id.
struct AuditNames {
    /// Names of admin tokens, by `token:{id}`.
    private(set) var actors: [String: String] = [:]
    private var subjects: [Subject: String] = [:]

    /// `models/{id}`, `apiKeys/{id}` or `adminTokens/{id}`, together with the project. A refused call may have named a
    /// model of another project, and the reader must not learn that model's name.
    private struct Subject: Hashable {
        var projectID: String
        var text: String

        init(_ entry: AuditEntry) { (projectID, text) = (entry.projectID, entry.subject) }
    }

    func subject(of entry: AuditEntry) -> String? { subjects[Subject(entry)] }

    /// - Parameter since: the earliest time that the caller may read, in microseconds since 1970; nil for everything.
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
