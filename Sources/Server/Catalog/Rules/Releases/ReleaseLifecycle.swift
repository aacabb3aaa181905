package import HearthWire

/// The rules of a model's releases. They take facts, and return new records and audit entries. No I/O.
///
/// - A **full** release reaches every device (full share, no audience, not paused). It ends all releases before it and
///   does not change any more: only another release or its end follows.
/// - Any other release has the release before it as its fallback: devices that it does not include get that one.
/// - A schedule that arrives at the full share makes its release full at that moment. The releases before it are
///   recorded as ended with the next change of the model, and are never chosen in between.
/// - While a release is paused, its schedule stands still; when it is resumed, the stages not reached yet are delayed
///   by the length of the pause.
/// - A call that asks for the present state changes nothing and succeeds.
package enum ReleaseLifecycle {
    /// The most releases of a model that may be under way at once.
    package static let activeLimit = 16

    /// The version that every device may get at that moment; nil if there is none. `Model.releasedVersion` has the same
    /// as of the model's last change, which may be before a schedule reached all devices.
    package static func releasedVersion(_ releases: [Release], nowMicroseconds: Int64) -> Int? {
        let full = releases.filter { EffectiveShare.isFull($0, nowMicroseconds: nowMicroseconds) }
        return full.max { $0.number < $1.number }?.version
    }

    /// The version that apps were written for, as far as releases show: the one that all devices get, or, if no release
    /// reaches all devices, the last one that did. Nil if no version was ever released to all devices.
    package static func lastReleasedVersion(_ releases: [Release], nowMicroseconds: Int64) -> Int? {
        if let present = releasedVersion(releases, nowMicroseconds: nowMicroseconds) { return present }
        let whole = releases.filter { EffectiveShare.reachedAll($0, nowMicroseconds: nowMicroseconds) }
        return whole.max { $0.number < $1.number }?.version
    }

    /// The releases that are newer than the one that all devices get at that moment: those under way that some devices
    /// get, newest first.
    package static func rollouts(_ releases: [Release], nowMicroseconds: Int64) -> [Release] {
        let full = releases.filter { EffectiveShare.isFull($0, nowMicroseconds: nowMicroseconds) }
        let below = full.map(\.number).max() ?? 0
        return releases.filter { $0.endedMicroseconds == nil && $0.number > below }
    }

    /// Releases a version: to all devices, to a share of them, in stages, or to an audience.
    ///
    /// - Parameters:
    ///   - share: millionths of the installations before the first stage, 0 to `Release.fullShare`.
    ///   - stages: at most 32, in order of time, with shares that never decrease. Stages in the past count as reached.
    ///   - guarding: how the server watches it, and its plan; ignored if the release has the full share.
    ///   - allowContractChange: releases it although its contract differs from the last released version's and the
    ///     model refuses that.
    ///   - allowCrashing: releases it although it crashed the engine in the server's run.
    ///   - allowFailedRehearsal: releases it although its rehearsal is missing or shows less than the model requires.
    /// - Throws: `invalidArgument` for an invalid share, stage or audience; `failedPrecondition` if the version is
    ///   malformed, not validated yet, crashed the engine or is refused because of its contract, if too many releases
    ///   are under way, or if one of them already gives the version to another share of the same audience.
    package static func release(
        _ state: ModelLifecycle.State, _ known: ModelLifecycle.KnownVersion, share: Int = Release.fullShare,
        stages: [Release.Stage] = [], audience: Audience = Audience(), guarding: ReleaseGuarding? = nil,
        allowContractChange: Bool = false, allowCrashing: Bool = false, allowFailedRehearsal: Bool = false,
        context: ModelLifecycle.Context
    ) throws(CatalogError) -> ModelLifecycle.Change {
        try ReleaseValidator.check(share: share, stages: stages)
        if let guarding { try ReleaseValidator.check(guarding, share: share, stages: stages) }
        try AudienceValidator.check(audience)
        try checkPublishable(known, of: state.model)
        var draft = ModelDraft(state, context)
        var release = draft.nextRelease(
            known.version.number, .publish, share: share, stages: stages, audience: audience)
        if share < Release.fullShare {
            release.guarding = guarding
            release.guarding?.shareSinceMicroseconds = draft.now
        }
        if draft.isAlreadyInEffect(release) { return draft.finish() }
        if let refusal = draft.refusal(
            of: known, allowContractChange: allowContractChange, allowCrashing: allowCrashing,
            allowFailedRehearsal: allowFailedRehearsal)
        {
            throw refusal
        }
        if !EffectiveShare.isFull(release, nowMicroseconds: draft.now) {
            try checkPlan(of: release, draft)
            try checkRollout(release, draft)
            release.kind = .rollout
        }
        draft.warn(
            ReleaseValidator.pastStages(release, nowMicroseconds: draft.now) + AudienceWarnings.unknown(in: audience))
        let ended = draft.insert(release)
        draft.record(
            "release.\(release.kind.rawValue)",
            "\(ReleaseDescription.title(release)), \(ReleaseDescription.schedule(release)), \(ReleaseDescription.audience(audience))"
                + (release.guarding.map { ", " + ReleaseDescription.guarding($0) } ?? "")
                + CrashRule.note(on: known) + ModelDraft.ending(ended))
        return draft.finish()
    }

    /// A full release of a version that was served before. It ends all other releases, and a version that still waits
    /// to be published is no longer published.
    ///
    /// A rollback must never be refused because of a contract: for a version that all devices had, differences only
    /// cause warnings. A version that they never had is released like any other.
    ///
    /// - Parameters:
    ///   - known: the version to go back to; nil for the one that all devices got before, as `previousVersion` finds
    ///     it.
    ///   - allowContractChange: releases a version that was never released to all devices although its contract differs
    ///     from the last released version's and the model refuses that.
    ///   - allowCrashing: releases a version that crashed the engine in the server's run and was never released to all
    ///     devices.
    ///   - allowFailedRehearsal: the same for a version whose rehearsal is missing or shows less than the model requires.
    /// - Throws: `failedPrecondition` if the version is malformed, not validated, crashed the engine or is refused
    ///   because of its contract, or if there is no version to go back to.
    package static func rollback(
        _ state: ModelLifecycle.State, to known: ModelLifecycle.KnownVersion? = nil, allowContractChange: Bool = false,
        allowCrashing: Bool = false, allowFailedRehearsal: Bool = false, context: ModelLifecycle.Context
    ) throws(CatalogError) -> ModelLifecycle.Change {
        var draft = ModelDraft(state, context)
        if let known { try checkPublishable(known, of: state.model) }
        let version = if let known { known.version.number } else { try previousVersion(draft.releases, draft.now) }
        let before = draft.activeReleases.first
        let release = draft.nextRelease(version, .rollback)
        if draft.isAlreadyInEffect(release) { return draft.finish() }
        if let known {
            let wasReleased = EffectiveShare.reachedAll(
                version: version, by: draft.releases, nowMicroseconds: draft.now)
            if let refusal = draft.refusal(
                of: known, allowContractChange: allowContractChange || wasReleased,
                allowCrashing: allowCrashing || wasReleased,
                allowFailedRehearsal: allowFailedRehearsal || wasReleased)
            {
                throw refusal
            }
        }
        let ended = draft.insert(release)
        let from = before.map { ", from version \($0.version)" } ?? ""
        draft.record(
            "release.rollback",
            ReleaseDescription.title(release) + from + CrashRule.note(on: known) + ModelDraft.ending(ended)
        )
        return draft.finish()
    }

    /// The guards compare with a baseline, so without one a plan could not go on.
    static func checkPlan(of release: Release, _ draft: ModelDraft) throws(CatalogError) {
        guard release.guarding?.plan.isEmpty == false,
            !draft.activeReleases.contains(where: { $0.number < release.number })
        else { return }
        throw CatalogError(
            .failedPrecondition,
            "A plan compares the version with the one that the other devices get, and they get none. Release a version to all "
                + "devices first, or give the release a share or stages in place of a plan.")
    }

    private static func checkRollout(_ release: Release, _ draft: ModelDraft) throws(CatalogError) {
        guard draft.activeReleases.count < activeLimit else {
            throw CatalogError(
                .failedPrecondition,
                "This model already has \(activeLimit) open releases, which is the maximum; stop one of them first.")
        }
        try checkTwin(of: release, draft)
    }

    /// Each release draws its devices independently: two releases of one version for the same devices would reach more
    /// of them than either share says.
    static func checkTwin(of release: Release, _ draft: ModelDraft) throws(CatalogError) {
        let twin = draft.activeReleases.first {
            $0.number != release.number && $0.version == release.version
                && AudienceValidator.isSame($0.audience, release.audience)
                && !EffectiveShare.isFull($0, nowMicroseconds: draft.now)
        }
        guard let twin else { return }
        throw CatalogError(
            .failedPrecondition,
            "Release \(twin.number) gives version \(twin.version) to the same devices already; change that one "
                + "('hearth releases set') or stop it.")
    }

    /// The version of a rollback that names none: the one that all devices got before the newest release that is under
    /// way. During a rollout that is its baseline, otherwise the version released to all devices
    /// before the present one. So a second rollback undoes the first if that ended a release to all devices; a rollout
    /// that it ended must be made again.
    ///
    /// - Throws: `failedPrecondition` if no release is under way, or no other version was released to all devices
    ///   before.
    private static func previousVersion(_ releases: [Release], _ now: Int64) throws(CatalogError) -> Int {
        guard let present = releases.first(where: { $0.endedMicroseconds == nil }) else {
            throw CatalogError(.failedPrecondition, "Nothing is released; name the version to go back to.")
        }
        let previous = releases.first {
            $0.number < present.number && $0.version != present.version
                && EffectiveShare.reachedAll($0, nowMicroseconds: now)
        }
        guard let previous else {
            throw CatalogError(
                .failedPrecondition,
                "No other version was released to all devices before; name the version to go back to.")
        }
        return previous.version
    }

    private static func checkPublishable(
        _ known: ModelLifecycle.KnownVersion, of model: Model
    ) throws(CatalogError) {
        let number = known.version.number
        guard known.version.modelID == model.id else {
            throw CatalogError(.notFound, "The model '\(model.displayName)' has no version \(number).")
        }
        switch known.validation.verdict {
        case .ok, .unsupported: break
        case .pending:
            throw CatalogError(
                .failedPrecondition, "Version \(number) is still being checked; try again when there is a verdict.")
        case .malformed(let reason):
            throw CatalogError(
                .failedPrecondition, "Version \(number) is malformed and cannot be released: \(reason)")
        }
    }
}
