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

    var routes: [CallRoute] {
        [
            context.on(ReleaseCalls.list) { try list($0) },
            context.on(ReleaseCalls.get) { try get($0) },
            // The audience may have a condition, which may take long to parse.
            context.onPrepared(ReleaseCalls.create) { try editing.create($0) },
            context.onPrepared(ReleaseCalls.update) { try editing.change($0) },
            context.on(ReleaseCalls.pause) { try editing.apply($0, ReleaseLifecycle.pause) },
            context.on(ReleaseCalls.resume) { try editing.apply($0, ReleaseLifecycle.resume) },
            context.on(ReleaseCalls.end) { try editing.apply($0, ReleaseLifecycle.end) },
            context.on(ReleaseCalls.rollBack) { try editing.rollback($0) },
        ]
    }

    private func list(_ call: ReadCall) throws -> ReleaseBodies.ReleaseList {
        let target = try ModelPath(call)
        let releases = try call.read { try $0.releases(model: target.model($0).id) }
        let now = context.services.now().microseconds
        let found = releases.map {
            ReleasePresentation.release($0, among: releases, rollouts, nowMicroseconds: now)
        }
        return ReleaseBodies.ReleaseList(releases: found.isEmpty ? nil : found)
    }

    private func get(_ call: ReadCall) throws -> ReleaseBodies.Release {
        let target = try ModelPath(call)
        let number = try ModelPath.number(call.path["release"], "release")
        let (found, releases) = try call.read { store in
            let model = try target.model(store)
            let releases = try store.releases(model: model.id)
            guard let release = releases.first(where: { $0.number == number }) else {
                throw APIError(.notFound, "The model '\(model.displayName)' has no release \(number).")
            }
            return (release, releases)
        }
        let now = context.services.now().microseconds
        return ReleasePresentation.release(
            found, among: releases, rollouts, nowMicroseconds: now,
            warnings: found.endedMicroseconds == nil
                ? ReleaseCondition.warnings(of: found.audience, context.serving) : [])
    }
}
