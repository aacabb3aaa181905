package import HearthWire

/// The changes of an existing release.
extension ReleaseLifecycle {
    /// Changes which devices a release reaches; nil leaves a part unchanged.
    ///
    /// - Parameters:
    ///   - known: the version of the release; nil if there is no such release.
    ///   - share: from now on, in millionths. Without `stages` it ends the schedule.
    ///   - stages: the new schedule, in place of the old one. Without `share`, the release keeps its present share; but
    ///     if the list has stages in the past, it starts from its initial share.
    ///   - audience: the whole new audience.
    ///   - guarding: how the server watches it from now on. New stages end a plan.
    ///   - allowContractChange: lets it reach more devices although its contract differs from the released version's
    ///     and the model refuses that.
    ///   - allowCrashing: lets it reach more devices although it crashed the engine in the server's run.
    ///   - allowFailedRehearsal: lets it reach more devices although its rehearsal is missing or shows less than the
    ///     model requires.
    /// - Throws: `notFound`; `invalidArgument` as for a new release; `failedPrecondition` if the release has ended; if
    ///   it already reaches all devices and would be narrowed (there is no fallback release any more); if it is paused
    ///   and gets new stages; if it reaches all devices and gets guards; if it gets the audience of another release of
    ///   its version; or if it would reach more devices and is refused because of its contract or because it crashed the
    ///   engine.
    package static func change(
        _ state: ModelLifecycle.State, release number: Int, of known: ModelLifecycle.KnownVersion?,
        share: Int? = nil, stages: [Release.Stage]? = nil, audience: Audience? = nil,
        guarding: ReleaseGuarding? = nil,
        allowContractChange: Bool = false, allowCrashing: Bool = false, allowFailedRehearsal: Bool = false,
        context: ModelLifecycle.Context
    ) throws(CatalogError) -> ModelLifecycle.Change {
        var draft = ModelDraft(state, context)
        let release = try changeable(number, draft)
        var changed = release
        changed.audience = audience ?? release.audience
        if share != nil || stages != nil {
            changed.stages = stages ?? []
            changed.shareMillionths = share ?? firstShare(release, before: changed.stages, draft.now)
        }
        try changeGuarding(of: &changed, to: guarding, from: release, hasNewStages: !(stages ?? []).isEmpty, draft.now)
        try ReleaseValidator.check(share: changed.shareMillionths, stages: changed.stages)
        try AudienceValidator.check(changed.audience)
        let isFull = EffectiveShare.isFull(release, nowMicroseconds: draft.now)
        guard !isFull || guarding == nil else {
            throw CatalogError(
                .failedPrecondition, "Release \(number) reaches all devices, so it has no guards and no plan.")
        }
        if isFull, EffectiveShare.isFull(changed, nowMicroseconds: draft.now) { return draft.finish() }
        guard changed != release else { return draft.finish() }
        if changed.guarding?.plan != release.guarding?.plan { try checkPlan(of: changed, draft) }
        guard !isFull else {
            throw CatalogError(
                .failedPrecondition,
                "Release \(number) reaches all devices and cannot be narrowed; roll back, or release another version.")
        }
        guard release.pausedMicroseconds == nil || (stages ?? []).isEmpty else {
            throw CatalogError(
                .failedPrecondition, "Release \(number) is paused; resume it before giving it new stages.")
        }
        if !AudienceValidator.isSame(release.audience, changed.audience),
            !EffectiveShare.isFull(changed, nowMicroseconds: draft.now)
        {
            try checkTwin(of: changed, draft)
        }
        let grows = ReachComparison.grows(from: release, to: changed, nowMicroseconds: draft.now)
        if let known, grows,
            let refusal = draft.refusal(
                of: known, allowContractChange: allowContractChange, allowCrashing: allowCrashing,
                allowFailedRehearsal: allowFailedRehearsal)
        {
            throw refusal
        }
        draft.warn(ReleaseValidator.pastStages(changed, since: release, nowMicroseconds: draft.now))
        if audience != nil { draft.warn(AudienceWarnings.unknown(in: changed.audience)) }
        let ended = draft.replace(changed)
        draft.record(
            "release.change",
            "\(ReleaseDescription.title(release)): \(differences(release, changed))"
                + CrashRule.note(on: grows ? known : nil) + ModelDraft.ending(ended))
        return draft.finish()
    }

    /// Pauses a release: no further devices get it, devices that have its version keep it, and its schedule stands
    /// still.
    ///
    /// - Throws: `notFound`; `failedPrecondition` if the release has ended or reaches all devices: then there is no
    ///   fallback release that the other devices could get.
    package static func pause(
        _ state: ModelLifecycle.State, release number: Int, context: ModelLifecycle.Context
    ) throws(CatalogError) -> ModelLifecycle.Change {
        var draft = ModelDraft(state, context)
        var release = try changeable(number, draft)
        guard release.pausedMicroseconds == nil else { return draft.finish() }
        guard !EffectiveShare.isFull(release, nowMicroseconds: draft.now) else {
            throw CatalogError(
                .failedPrecondition,
                "Release \(number) reaches all devices and cannot be paused; roll back, or unpublish the model.")
        }
        let share = EffectiveShare.share(of: release, nowMicroseconds: draft.now)
        release.pausedMicroseconds = draft.now
        _ = draft.replace(release)
        draft.record("release.pause", "\(ReleaseDescription.title(release)), at \(ReleaseDescription.share(share))")
        return draft.finish()
    }

    /// Resumes a paused release. Stages that were not reached yet are delayed by the length of the pause.
    ///
    /// - Throws: `notFound`; `failedPrecondition` if the release has ended.
    package static func resume(
        _ state: ModelLifecycle.State, release number: Int, context: ModelLifecycle.Context
    ) throws(CatalogError) -> ModelLifecycle.Change {
        var draft = ModelDraft(state, context)
        var release = try changeable(number, draft)
        guard let paused = release.pausedMicroseconds else { return draft.finish() }
        release.pausedMicroseconds = nil
        if let stop = release.guarding?.stop {
            // Otherwise it would stop the release again at once.
            release.guarding?.off.insert(stop.guarded)
            release.guarding?.stop = nil
            draft.warn([
                "the guard '\(stop.guarded.rawValue)', which stopped this release, is off from now on; the others still watch"
            ])
        }
        release.guarding?.shareSinceMicroseconds = draft.now
        let length = max(0, draft.now - paused)
        for index in release.stages.indices where release.stages[index].atMicroseconds > paused {
            release.stages[index].atMicroseconds += length
        }
        let ended = draft.replace(release)
        draft.record(
            "release.resume",
            "\(ReleaseDescription.title(release)), \(ReleaseDescription.schedule(release))" + ModelDraft.ending(ended))
        return draft.finish()
    }

    /// Stops a release: its devices get the fallback release, if there is one. Stopping an ended release again has no
    /// effect.
    ///
    /// - Throws: `notFound`; `failedPrecondition` if the release reaches all devices: there is no fallback release, so
    ///   its end would unpublish the model, which is another call.
    package static func end(
        _ state: ModelLifecycle.State, release number: Int, context: ModelLifecycle.Context
    ) throws(CatalogError) -> ModelLifecycle.Change {
        var draft = ModelDraft(state, context)
        var release = try find(number, draft)
        guard release.endedMicroseconds == nil else { return draft.finish() }
        guard !EffectiveShare.isFull(release, nowMicroseconds: draft.now) else {
            let name = draft.model.displayName
            throw CatalogError(
                .failedPrecondition,
                "Release \(number) reaches all devices, and there is no older release to fall back to. To give them the version before: "
                    + "hearth releases rollback \(name). To stop giving the model to devices: hearth models unpublish \(name)."
            )
        }
        release.endedMicroseconds = draft.now
        _ = draft.replace(release)
        draft.record(
            "release.end",
            ReleaseDescription.title(release) + (draft.activeReleases.isEmpty ? "; nothing is released any more" : ""))
        return draft.finish()
    }

    static func find(_ number: Int, _ draft: ModelDraft) throws(CatalogError) -> Release {
        guard let release = draft.releases.first(where: { $0.number == number }) else {
            throw CatalogError(.notFound, "The model '\(draft.model.displayName)' has no release \(number).")
        }
        return release
    }

    private static func changeable(_ number: Int, _ draft: ModelDraft) throws(CatalogError) -> Release {
        let release = try find(number, draft)
        guard release.endedMicroseconds == nil else {
            throw CatalogError(.failedPrecondition, "Release \(number) has ended; make a new one instead.")
        }
        return release
    }

    private static func changeGuarding(
        of changed: inout Release, to guarding: ReleaseGuarding?, from release: Release, hasNewStages: Bool,
        _ now: Int64
    ) throws(CatalogError) {
        if let guarding {
            let isSame = release.guarding?.isSame(as: guarding) ?? false
            if !isSame {
                changed.guarding = guarding
                changed.guarding?.shareSinceMicroseconds = release.guarding?.shareSinceMicroseconds ?? now
                changed.guarding?.stop = release.guarding?.stop
            }
        } else if hasNewStages {
            changed.guarding?.plan = []
        } else if release.guarding == nil, changed.shareMillionths < Release.fullShare,
            changed.shareMillionths != release.shareMillionths
        {
            changed.guarding = ReleaseGuarding()
        }
        if changed.shareMillionths != release.shareMillionths || changed.stages != release.stages {
            changed.guarding?.shareSinceMicroseconds = now
        }
        let wasGuarded = release.guarding?.guards.isEmpty == false
        let isGuarded = changed.guarding?.guards.isEmpty == false
        changed.guarding?.offeredMillionths = release.guarding?.offeredMillionths
        if isGuarded && !wasGuarded || changed.shareMillionths != release.shareMillionths
            || changed.stages != release.stages
        {
            changed.guarding?.offeredMillionths = max(
                release.guarding?.offeredMillionths ?? 0, EffectiveShare.share(of: release, nowMicroseconds: now))
        }
        if let found = changed.guarding {
            try ReleaseValidator.check(found, share: changed.shareMillionths, stages: changed.stages)
        }
    }

    private static func firstShare(_ release: Release, before stages: [Release.Stage], _ now: Int64) -> Int {
        let clock = EffectiveShare.clock(of: release, nowMicroseconds: now)
        if let first = stages.first, first.atMicroseconds <= clock { return release.shareMillionths }
        return EffectiveShare.share(of: release, nowMicroseconds: now)
    }

    private static func differences(_ old: Release, _ new: Release) -> String {
        var parts: [String] = []
        if old.shareMillionths != new.shareMillionths || old.stages != new.stages {
            parts.append("share \(ReleaseDescription.schedule(old)) -> \(ReleaseDescription.schedule(new))")
        }
        if old.audience != new.audience {
            parts.append(
                "audience \(ReleaseDescription.audience(old.audience)) -> \(ReleaseDescription.audience(new.audience))")
        }
        if let guarding = new.guarding, !(old.guarding?.isSame(as: guarding) ?? false) {
            parts.append(ReleaseDescription.guarding(guarding))
        }
        return parts.joined(separator: "; ")
    }
}
