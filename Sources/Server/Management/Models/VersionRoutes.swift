import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthRouting
import HearthStorage

/// Reads a model's versions, creates one without releasing it, and changes the notes of versions.
struct VersionRoutes {
    private let context: RouteContext

    private let verdicts: VerdictWait

    init(_ context: RouteContext, _ verdicts: VerdictWait) {
        self.context = context
        self.verdicts = verdicts
    }

    var routes: [CallRoute] {
        [
            CallRoute(VersionCalls.list) { head, path in
                context.queued(
                    head, check: { try context.adminCall(head, project: path["project"], atLeast: .viewer) }
                ) { call, head, _ in
                    try list(call, head.query, path)
                }
            },
            CallRoute(VersionCalls.get) { head, path in
                context.lookUp(head) {
                    try get(context.adminCall(head, project: path["project"], atLeast: .viewer), path)
                }
            },
            CallRoute(VersionCalls.update) { head, path in
                context.queuedWrite(
                    head, check: { try context.adminCall(head, project: path["project"], atLeast: .publisher) }
                ) { call, _, bytes in
                    try change(call, path, bytes)
                }
            },
            CallRoute(VersionCalls.create) { head, path in
                context.queuedWriteAwaitingCheck(
                    head, check: { try context.adminCall(head, project: path["project"], atLeast: .publisher) }
                ) { call, _, bytes in
                    try create(call, path, bytes)
                }
            },
        ]
    }

    /// Contracts are most of the list, and of the work for it. A caller that only names versions leaves them out.
    private func list(_ call: AdminCall, _ query: QueryItems, _ path: RouteParameters) throws -> Response {
        let target = try ModelPath(call, path)
        let showsContract = try Self.showsContracts(query)
        let found = try context.services.metadata.read { store in
            let model = try target.model(store)
            let aliases = try store.aliases(model: model.id)
            return try store.versions(model: model.id).reversed().map { version in
                ReleasePresentation.version(
                    try ModelPath.version(version.number, of: model, store), aliases, showsContract: showsContract)
            }
        }
        return try context.json(ReleaseBodies.VersionList(versions: found.isEmpty ? nil : found))
    }

    private static func showsContracts(_ query: QueryItems) throws(APIError) -> Bool {
        switch query.first("contracts") {
        case nil, "true": return true
        case "false": return false
        default:
            let text = "This must be true or false."
            throw .invalid("contracts", text, message: "contracts: \(text)")
        }
    }

    private func get(_ call: AdminCall, _ path: RouteParameters) throws -> Response {
        let target = try ModelPath(call, path)
        let found = try context.services.metadata.read { store in
            let model = try target.model(store)
            let known = try ModelPath.version(named: path["version"], of: model, store)
            return ReleasePresentation.version(known, try store.aliases(model: model.id))
        }
        return try context.json(found)
    }

    private func change(_ call: AdminCall, _ path: RouteParameters, _ bytes: [UInt8]) throws -> Response {
        let body = try RequestJSON.decode(
            ReleaseBodies.UpdateVersionRequest.self, bytes, what: "a change of a version")
        try Self.check(body.note)
        let target = try ModelPath(call, path)
        let changed = try context.change(by: call.principal, in: call.project.id) { store, log in
            let model = try target.model(store)
            let number = try ModelPath.version(named: path["version"], of: model, store).version.number
            try Self.setNote(body.note, version: number, of: model, store, log)
            return ReleasePresentation.version(
                try ModelPath.version(number, of: model, store), try store.aliases(model: model.id))
        }
        return try context.json(changed)
    }

    private static func check(_ note: String) throws(APIError) {
        do throws(CatalogError) {
            try VersionNote.check(note)
        } catch {
            throw .invalid("note", error.message, message: error.message)
        }
    }

    /// - Parameter note: empty removes the note.
    private static func setNote(
        _ note: String, version: Int, of model: Model, _ store: any MetadataWriter, _ log: AuditLog
    ) throws {
        let present = try store.version(version, model: model.id)?.note
        guard note != present ?? "" else { return }
        try store.setNote(note.isEmpty ? nil : note, version: version, model: model.id)
        try log.add(
            "version.note", "models/\(model.id)", "version \(version)\(note.isEmpty ? ", removed" : ": \(note)")")
    }

    /// Creates the version at once. The answer waits for its verdict.
    private func create(_ call: AdminCall, _ path: RouteParameters, _ bytes: [UInt8]) throws -> PendingResponse {
        let target = try ModelPath(call, path)
        let body = try RequestJSON.decode(
            ReleaseBodies.CreateVersionRequest.self, bytes, what: "a request for a new version")
        if let note = body.note { try Self.check(note) }
        let (model, known) = try context.change(by: call.principal, in: call.project.id) { store, log in
            let model = try target.model(store)
            let upload = try UploadedFile.find(body.source, in: call.project.id, store)
            let rules = ModelLifecycle.Context(actor: call.actor, nowMicroseconds: log.atMicroseconds)
            let change = try ModelLifecycle.update(
                store.state(of: model, nowMicroseconds: rules.nowMicroseconds),
                edit: .init(upload: upload, publishesNewFile: false), isTaken: false, context: rules)
            try store.save(change)
            if let note = body.note, let version = change.model.newestVersion {
                try Self.setNote(note, version: version, of: change.model, store, log)
            }
            return (change.model, try ModelPath.version(nil, of: change.model, store))
        }
        let answer = { @Sendable () throws -> Response in
            let (found, aliases) = try context.services.metadata.read { store in
                (try store.known(known.version.number, of: model), try store.aliases(model: model.id))
            }
            return try context.json(ReleasePresentation.version(found ?? known, aliases))
        }
        guard known.validation.verdict == .pending else { return .ready(try answer()) }
        return verdicts.answer(known.version.sha256, then: answer)
    }
}
