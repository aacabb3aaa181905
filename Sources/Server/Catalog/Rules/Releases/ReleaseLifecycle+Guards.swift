/// What the server does to guarded releases by itself. Each call checks first that nobody was faster.
extension ReleaseLifecycle {
    /// Gives a release the next share of its plan. No effect if it is paused, has ended, or has another share by now.
    ///
    /// - Parameters:
    ///   - share: the present one; in millionths, as `next`.
    ///   - reason: what the guards have seen, for the audit log.
    /// - Throws: `notFound`.
    package static func widen(
        _ state: ModelLifecycle.State, release number: Int, from share: Int, to next: Int, reason: String,
        context: ModelLifecycle.Context
    ) throws(CatalogError) -> ModelLifecycle.Change {
        var draft = ModelDraft(state, context)
        var release = try find(number, draft)
        guard isUnderWay(release, draft), release.shareMillionths == share, next > share else { return draft.finish() }
        release.shareMillionths = next
        release.guarding?.shareSinceMicroseconds = draft.now
        let ended = draft.replace(release)
        draft.record(
            "release.widen",
            "\(ReleaseDescription.title(release)), by its plan \(ReleaseDescription.share(share)) -> "
                + "\(ReleaseDescription.share(next)); \(reason)" + ModelDraft.ending(ended))
        return draft.finish()
    }

    /// Pauses or ends a release because of a guard. No effect if it is paused, has ended, or reaches all devices by now.
    ///
    /// - Throws: `notFound`.
    package static func stop(
        _ state: ModelLifecycle.State, release number: Int, because guarded: Guard, reason: String,
        context: ModelLifecycle.Context
    ) throws(CatalogError) -> ModelLifecycle.Change {
        var draft = ModelDraft(state, context)
        var release = try find(number, draft)
        guard isUnderWay(release, draft), let response = release.guarding?.response else { return draft.finish() }
        let share = ReleaseDescription.share(EffectiveShare.share(of: release, nowMicroseconds: draft.now))
        release.guarding?.stop = ReleaseGuarding.Stop(
            guarded: guarded, atMicroseconds: draft.now, reason: reason)
        switch response {
        case .pause: release.pausedMicroseconds = draft.now
        case .rollback: release.endedMicroseconds = draft.now
        }
        _ = draft.replace(release)
        draft.record(
            response == .pause ? "release.pause" : "release.end",
            "\(ReleaseDescription.title(release)), at \(share), by the guard '\(guarded.rawValue)': \(reason)")
        return draft.finish()
    }

    private static func isUnderWay(_ release: Release, _ draft: ModelDraft) -> Bool {
        release.endedMicroseconds == nil && release.pausedMicroseconds == nil
            && !EffectiveShare.isFull(release, nowMicroseconds: draft.now)
    }
}
