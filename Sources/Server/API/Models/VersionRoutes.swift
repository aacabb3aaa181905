import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthStorage
import HearthWire

/// Reads a model's versions, and creates one without releasing it.
struct VersionRoutes {
    private let context: RouteContext

    init(_ context: RouteContext) { self.context = context }

    private static let collection = "hearth/v1/projects/{project}/models/{model}/versions"

    var routes: [Route] {
        [
            Route(.get, Self.collection) { head, path in
                context.queued(
                    head, check: { try context.adminCall(head, project: path["project"], atLeast: .viewer) }
                ) { call, _, _ in
                    try list(call, path)
                }
            },
            Route(.get, Self.collection + "/{version}") { head, path in
                context.answer(head) {
                    try get(context.adminCall(head, project: path["project"], atLeast: .viewer), path)
                }
            },
            Route(.post, Self.collection) { head, path in
                context.queuedWriteAwaitingCheck(
                    head, check: { try context.adminCall(head, project: path["project"], atLeast: .publisher) }
                ) { call, _, bytes in
                    try create(call, path, bytes)
                }
            },
        ]
    }

    private func list(_ call: AdminCall, _ path: RouteParameters) throws -> Response {
        let target = try ModelPath(call, path)
        let found = try context.services.metadata.read { store in
            let model = try target.model(store)
            return try store.versions(model: model.id).reversed().map { version in
                ReleasePresentation.version(try ModelPath.version(version.number, of: model, store))
            }
        }
        return try context.json(ReleaseBodies.VersionList(versions: found.isEmpty ? nil : found))
    }

    private func get(_ call: AdminCall, _ path: RouteParameters) throws -> Response {
        let target = try ModelPath(call, path)
        let number = try ModelPath.number(path["version"], "version")
        let found = try context.services.metadata.read { store in
            let model = try target.model(store)
            return ReleasePresentation.version(try ModelPath.version(number, of: model, store))
        }
        return try context.json(found)
    }

    /// Creates the version at once. The answer waits for its verdict.
    private func create(_ call: AdminCall, _ path: RouteParameters, _ bytes: [UInt8]) throws -> PendingResponse {
        let target = try ModelPath(call, path)
        let body = try RequestJSON.decode(
            ReleaseBodies.CreateVersionRequest.self, bytes, what: "a request for a new version")
        let (model, known) = try context.services.metadata.write { store in
            let model = try target.model(store)
            let upload = try UploadedFile.find(body.source, in: call.project.id, store)
            let rules = ModelLifecycle.Context(
                actor: call.actor, nowMicroseconds: context.services.now().microseconds)
            let change = try ModelLifecycle.update(
                store.state(of: model, nowMicroseconds: rules.nowMicroseconds),
                edit: .init(upload: upload, publishesNewFile: false), isTaken: false, context: rules)
            try store.save(change)
            return (change.model, try ModelPath.version(nil, of: change.model, store))
        }
        let answer = { @Sendable () throws -> Response in
            let found = try context.services.metadata.read { try $0.known(known.version.number, of: model) }
            return try context.json(ReleasePresentation.version(found ?? known))
        }
        guard known.validation.verdict == .pending else { return .ready(try answer()) }
        return .afterValidation(sha256: known.version.sha256, then: answer)
    }
}
