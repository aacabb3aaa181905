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
            context.on(VersionCalls.list) { try list($0) },
            context.on(VersionCalls.get) { try get($0) },
            context.on(VersionCalls.update) { try change($0) },
            context.onPending(VersionCalls.create) { try create($0) },
        ]
    }

    /// Contracts are most of the list, and of the work for it. A caller that only names versions leaves them out.
    private func list(_ call: ReadCall) throws -> ReleaseBodies.VersionList {
        let target = try ModelPath(call)
        let showsContract = try Self.showsContracts(call.query)
        let found = try call.read { store in
            let model = try target.model(store)
            let aliases = try store.aliases(model: model.id)
            return try store.versions(model: model.id).reversed().map { version in
                ReleasePresentation.version(
                    try ModelPath.version(version.number, of: model, store), aliases, showsContract: showsContract)
            }
        }
        return ReleaseBodies.VersionList(versions: found.isEmpty ? nil : found)
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

    private func get(_ call: ReadCall) throws -> ReleaseBodies.Version {
        let target = try ModelPath(call)
        return try call.read { store in
            let model = try target.model(store)
            let known = try ModelPath.version(named: call.path["version"], of: model, store)
            return ReleasePresentation.version(known, try store.aliases(model: model.id))
        }
    }

    private func change(_ call: ChangeCall<ReleaseBodies.UpdateVersionRequest>) throws -> ReleaseBodies.Version {
        let body = try call.body("a change of a version")
        try Self.check(body.note)
        let target = try ModelPath(call)
        return try call.change { store, log in
            let model = try target.model(store)
            let number = try ModelPath.version(named: call.path["version"], of: model, store).version.number
            try Self.setNote(body.note, version: number, of: model, store, log)
            return ReleasePresentation.version(
                try ModelPath.version(number, of: model, store), try store.aliases(model: model.id))
        }
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
    private func create(_ call: ChangeCall<ReleaseBodies.CreateVersionRequest>) throws -> PendingAnswer<
        ReleaseBodies.Version
    > {
        let target = try ModelPath(call)
        let body = try call.body("a request for a new version")
        if let note = body.note { try Self.check(note) }
        let (model, known) = try call.change { store, log in
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
        let answer = { @Sendable () throws -> ReleaseBodies.Version in
            let (found, aliases) = try call.read { store in
                (try store.known(known.version.number, of: model), try store.aliases(model: model.id))
            }
            return ReleasePresentation.version(found ?? known, aliases)
        }
        guard known.validation.verdict == .pending else { return .ready(try answer()) }
        return .later(verdicts.wait(for: known.version.sha256), then: answer)
    }
}
