import HearthCatalog
import HearthDevicePlane
import HearthRollouts
import HearthRouting
import HearthServing
import HearthStorage
import HearthTargeting

/// Looks at the guarded releases: stops those that do harm, gives the next share to those with a plan, and stores what
/// was seen. One thread at a time.
struct RolloutMonitor: Sendable {
    private let context: RouteContext
    private let metadata: any MetadataStore
    private let watches: RolloutWatches
    /// Nil for a server that is alone.
    private let exchange: RolloutExchange?
    private let history: HistoryWatch

    init(_ context: RouteContext, _ metadata: any MetadataStore, _ watches: RolloutWatches) {
        self.context = context
        self.metadata = metadata
        self.watches = watches
        history = HistoryWatch(metadata)
        exchange =
            metadata.coordination.isShared
            ? RolloutExchange(
                metadata, watches, checkSeconds: context.services.limits.rolloutCheckSeconds) : nil
    }

    /// Continues with what the server had seen when it last ran. Call it once, before the first request.
    ///
    /// - Returns: messages for the operator, one line each.
    func begin() throws -> [String] {
        // With several servers, the first check finds out which one decides.
        guard exchange == nil else { return [] }
        let records = try metadata.read { try $0.rolloutWatches() }
        return watches.restore(records)
    }

    /// Of several servers one decides, and the others tell it what they see.
    ///
    /// - Parameter isLast: only stores, however recently it did so.
    /// - Returns: one line for each release that it changed or could not look at.
    func check(isLast: Bool = false) throws -> [String] {
        let now = context.nowMicroseconds
        let guarded = try context.serving.current().projects.values.flatMap { part in
            part.releases.values.flatMap { releases in
                // The oldest one has no baseline with which its devices can be compared.
                releases.dropLast().map(\.served).filter {
                    $0.release.guarding != nil && RolloutStatus.isPartial($0.release, nowMicroseconds: now)
                }
            }
        }
        let releases = guarded.map(\.release)
        var lines: [String] = []
        if let exchange {
            // What was seen of a release that is gone must not count for another one of its number.
            if history.hasChanged(metadata) { exchange.forget() }
            let (isNew, damaged) = try exchange.run(releases, isLast: isLast)
            lines = damaged
            guard exchange.isDecider else {
                follow(releases, isNew: isNew)
                return lines
            }
        }
        if !isLast { lines += guarded.sorted { Self.order($0) < Self.order($1) }.compactMap(line) }
        count(releases)
        do {
            try store(releases, isLast: isLast)
        } catch {
            guard !lines.isEmpty else { throw error }
            // The lines about releases that were stopped must still be logged.
            lines.append("what was seen of guarded releases cannot be stored: \(error)")
        }
        return lines
    }

    /// Shows what another server has stored.
    private func follow(_ releases: [Release], isNew: Bool) {
        _ = keep(releases)
        guard isNew else { return }
        for release in releases where release.pausedMicroseconds == nil {
            guard let watch = watches.watch(of: release) else { continue }
            watches.setLastStatus(
                RolloutStatus(of: release, watch, atSeconds: watches.seconds), of: release)
        }
    }

    private func keep(_ guarded: [Release]) -> [RolloutWatches.Key] {
        let watched = guarded.filter { $0.guarding?.guards.isEmpty == false }
        return watches.keep(
            only: Set(guarded.map(RolloutWatches.Key.init)), watched: Set(watched.map(RolloutWatches.Key.init)))
    }

    private static func order(_ served: ServedRelease) -> (Int64, Int) {
        (served.release.modelID, served.release.number)
    }

    private func line(_ served: ServedRelease) -> String? {
        let name = "release \(served.release.number) of '\(served.displayName)' of '\(served.projectID)'"
        do {
            return try act(on: served).map { "\(name) \($0)" }
        } catch {
            // The harm of other releases must still be stopped.
            return "\(name) cannot be watched: \(error)"
        }
    }

    /// What it did; nil for nothing.
    private func act(on served: ServedRelease) throws -> String? {
        let now = context.nowMicroseconds
        let release = served.release
        guard let guarding = release.guarding else { return nil }
        let watch = watches.tick(release)
        guard release.pausedMicroseconds == nil else { return nil }
        let share = EffectiveShare.share(of: release, nowMicroseconds: now)
        // A plan must not go on while nothing is seen.
        guard watch != nil || guarding.guards.isEmpty else { return nil }
        let status = RolloutStatus(of: release, watch, atSeconds: watches.seconds)
        watches.setLastStatus(status, of: release)
        let plan = RolloutPlan(shares: guarding.plan, holdSeconds: guarding.holdSeconds)
        let step = plan.step(
            share: share, findings: status.findings,
            secondsAtShare: watches.secondsAtShare(of: release))
        switch step {
        case .wait: return nil
        case .stop(let guarded):
            let reason = status.reason(for: guarded, version: release.version)
            let isStopped = try change(served) { state, rules in
                try ReleaseLifecycle.stop(
                    state, release: release.number, because: guarded, reason: reason, context: rules)
            }
            if isStopped { watches.metrics.countStop(by: guarded) }
            return isStopped ? "\(guarding.response == .pause ? "was paused" : "was ended"): \(reason)" : nil
        case .widen(let next):
            // A plan and a schedule exclude each other, so the share is that of the record.
            let reason = status.summary(version: release.version)
            let isWider = try change(served) { state, rules in
                try ReleaseLifecycle.widen(
                    state, release: release.number, from: share, to: next, reason: reason, context: rules)
            }
            return isWider ? "goes on by its plan: \(reason)" : nil
        }
    }

    /// - Returns: false if the rule changed nothing, because another call was faster.
    private func change(
        _ served: ServedRelease,
        _ rule: (ModelLifecycle.State, ModelLifecycle.Context) throws -> ModelLifecycle.Change
    ) throws -> Bool {
        let rules = ModelLifecycle.Context(actor: "server", nowMicroseconds: context.nowMicroseconds)
        return try metadata.write { store in
            guard let model = try store.model(id: served.release.modelID, project: served.projectID) else {
                return false
            }
            let change = try rule(try store.state(of: model, nowMicroseconds: rules.nowMicroseconds), rules)
            try store.save(change)
            return !change.isUnchanged
        }
    }

    /// Without the paused ones, and those whose guards are all off.
    private func count(_ guarded: [Release]) {
        let open = guarded.filter { $0.pausedMicroseconds == nil && !($0.guarding?.guards.isEmpty ?? true) }
        let watched = open.filter(watches.hasPlace).count
        watches.metrics.show(watched: watched, unwatched: open.count - watched)
    }

    private func store(_ guarded: [Release], isLast: Bool) throws {
        let dropped = keep(guarded)
        let due = try watches.due(all: isLast)
        guard !dropped.isEmpty || !due.isEmpty || exchange?.hasLeftovers == true else { return }
        do {
            let removed = try metadata.write { store in
                let removed = try exchange?.removeAdded(to: due, store) ?? [:]
                for key in dropped { try store.deleteRolloutWatch(of: key.release, model: key.model) }
                for record in due where try store.release(record.release, model: record.modelID) != nil {
                    try store.put(record)
                }
                return removed
            }
            exchange?.finish(removed)
        } catch {
            if error is RolloutExchange.Superseded { exchange?.standDown() }
            watches.storeAgain(due)
            throw error
        }
    }
}
