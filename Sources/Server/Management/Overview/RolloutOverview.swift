import HearthCalls
import HearthCatalog
import HearthDevicePlane
import HearthRollouts
import HearthServing
import HearthTargeting
import HearthWire

/// The releases of a project that are on their way, from what is in memory.
struct RolloutOverview {
    private let watches: RolloutWatches
    private let now: Int64

    init(_ watches: RolloutWatches, nowMicroseconds: Int64) {
        self.watches = watches
        now = nowMicroseconds
    }

    /// The newest first.
    func rollouts(of part: ServingSnapshot.ProjectPart?) -> [OverviewBodies.Rollout] {
        let found = (part?.releases ?? [:]).values.flatMap { releases in
            releases.enumerated().compactMap { index, each -> (Release, OverviewBodies.Rollout)? in
                let release = each.served.release
                guard release.pausedMicroseconds != nil || RolloutStatus.isPartial(release, nowMicroseconds: now)
                else { return nil }
                return (release, rollout(each.served, hasFallback: index + 1 < releases.count))
            }
        }
        return found.sorted { Self.order($0.0) > Self.order($1.0) }.map(\.1)
    }

    private static func order(_ release: Release) -> (Int64, Int64, Int) {
        (release.createdMicroseconds, release.modelID, release.number)
    }

    private func rollout(_ served: ServedRelease, hasFallback: Bool) -> OverviewBodies.Rollout {
        let release = served.release
        let share = EffectiveShare.share(of: release, nowMicroseconds: now)
        let isPaused = release.pausedMicroseconds != nil
        var body = OverviewBodies.Rollout(
            model: String(release.modelID), displayName: served.displayName, release: release.number,
            version: release.version, state: isPaused ? "paused" : "active", share: Self.fraction(share),
            hasAudience: !release.audience.isEverybody, createTime: WireTime.text(release.createdMicroseconds))
        let plan = release.guarding?.plan ?? []
        body.plan = plan.isEmpty ? nil : plan.map(Self.fraction)
        // The schedule of a paused release stands still.
        let clock = release.pausedMicroseconds ?? now
        let stage = release.stages.first { $0.atMicroseconds > clock }
        body.nextShare = (plan.first { $0 > share } ?? stage?.shareMillionths).map(Self.fraction)
        if plan.isEmpty, !isPaused { body.nextTime = stage.map { WireTime.text($0.atMicroseconds) } }
        if let guarding = release.guarding {
            (body.guardState, body.guardText) = guards(release, guarding, hasFallback: hasFallback)
        }
        return body
    }

    private func guards(_ release: Release, _ guarding: ReleaseGuarding, hasFallback: Bool) -> (String, String) {
        if let stop = guarding.stop {
            return (GuardVerdict.violated.rawValue, "stopped by '\(stop.guarded.rawValue)': \(stop.reason)")
        }
        if guarding.guards.isEmpty { return ("off", "no guard is on") }
        if release.pausedMicroseconds != nil { return ("waiting", "the guards wait while the release is paused") }
        guard hasFallback else {
            return ("unwatched", "no older release is under way, with whose devices its devices could be compared")
        }
        guard watches.hasPlace(for: release) else {
            return ("unwatched", "the server watches too many other releases")
        }
        guard let status = watches.lastStatus(of: release) else { return ("waiting", "not looked at yet") }
        return (status.state, status.summary(version: release.version, isBrief: true))
    }

    private static func fraction(_ millionths: Int) -> Double { Double(millionths) / Double(Release.fullShare) }
}
