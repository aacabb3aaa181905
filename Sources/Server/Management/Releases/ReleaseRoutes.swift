import HearthCalls
import HearthCatalog
import HearthDevicePlane
import HearthHTTP
import HearthRouting
import HearthStorage
import HearthWire

/// Reads, creates and changes a model's releases, and rolls back to an older version.
struct ReleaseRoutes {
    private let context: RouteContext
    private let rollouts: RolloutWatches
    private let editing: ReleaseEditing

    init(_ context: RouteContext, _ verdicts: VerdictWait, _ rollouts: RolloutWatches) {
        self.context = context
        self.rollouts = rollouts
        editing = ReleaseEditing(context: context, verdicts: verdicts, rollouts: rollouts)
    }

    private static let model = "hearth/v1/projects/{project}/models/{model}"
    private static let collection = model + "/releases"

    var routes: [CallRoute] {
        [
            CallRoute(ReleaseCalls.list) { head, path in
                context.queued(
                    head, check: { try context.adminCall(head, project: path["project"], atLeast: .viewer) }
                ) { call, _, _ in
                    try list(call, path)
                }
            },
            reading(ReleaseCalls.get) { call, path in try get(call, path) },
            changing(ReleaseCalls.create, takesLong: true) { try editing.create($0, $1, $2) },
            changing(ReleaseCalls.update, takesLong: true) { try editing.change($0, $1, $2) },
            changing(ReleaseCalls.pause) { call, path, _ in
                try .ready(editing.apply(call, path, ReleaseLifecycle.pause))
            },
            changing(ReleaseCalls.resume) { call, path, _ in
                try .ready(editing.apply(call, path, ReleaseLifecycle.resume))
            },
            changing(ReleaseCalls.end) { call, path, _ in
                try .ready(editing.apply(call, path, ReleaseLifecycle.end))
            },
            changing(ReleaseCalls.rollBack) { try .ready(editing.rollback($0, $1, $2)) },
        ]
    }

    private func reading(
        _ call: some DescribedCall, _ body: @escaping @Sendable (AdminCall, RouteParameters) throws -> Response
    ) -> CallRoute {
        CallRoute(call) { head, path in
            context.lookUp(head) {
                try body(context.adminCall(head, project: path["project"], atLeast: .viewer), path)
            }
        }
    }

    /// - Parameter takesLong: whether the body may have a condition, which may take long to parse.
    private func changing(
        _ call: some DescribedCall, takesLong: Bool = false,
        _ body: @escaping @Sendable (AdminCall, RouteParameters, [UInt8]) throws -> PendingResponse
    ) -> CallRoute {
        CallRoute(call) { head, path in
            let check = { try context.adminCall(head, project: path["project"], atLeast: .publisher) }
            let answer: @Sendable (AdminCall, RequestHead, [UInt8]) throws -> PendingResponse = { call, _, bytes in
                try body(call, path, bytes)
            }
            return takesLong
                ? context.queuedChange(head, check: check, answer)
                : context.queuedWriteAwaitingCheck(head, check: check, answer)
        }
    }

    private func list(_ call: AdminCall, _ path: RouteParameters) throws -> Response {
        let target = try ModelPath(call, path)
        let releases = try context.services.metadata.read { try $0.releases(model: target.model($0).id) }
        let now = context.services.now().microseconds
        let found = releases.map {
            ReleasePresentation.release($0, among: releases, rollouts, nowMicroseconds: now)
        }
        return try context.json(ReleaseBodies.ReleaseList(releases: found.isEmpty ? nil : found))
    }

    private func get(_ call: AdminCall, _ path: RouteParameters) throws -> Response {
        let target = try ModelPath(call, path)
        let number = try ModelPath.number(path["release"], "release")
        let (found, releases) = try context.services.metadata.read { store in
            let model = try target.model(store)
            let releases = try store.releases(model: model.id)
            guard let release = releases.first(where: { $0.number == number }) else {
                throw APIError(.notFound, "The model '\(model.displayName)' has no release \(number).")
            }
            return (release, releases)
        }
        let now = context.services.now().microseconds
        return try context.json(
            ReleasePresentation.release(
                found, among: releases, rollouts, nowMicroseconds: now,
                warnings: found.endedMicroseconds == nil
                    ? ReleaseCondition.warnings(of: found.audience, context.serving) : []))
    }
}
