import HearthWire

/// A change of one model in progress.
///
/// Facts that follow from the releases (whether the model is published, which version every device may get) are derived
/// in one place, `finish`, so that every rule includes them.
struct ModelDraft {
    private let before: ModelLifecycle.State
    let context: ModelLifecycle.Context
    var model: Model
    private(set) var newest: ModelLifecycle.KnownVersion?
    /// Newest first.
    private(set) var releases: [Release]
    var refusal: CatalogError?
    private var existingRelease: Int?
    private var newVersion: ModelVersion?
    private var warnings: [String] = []
    private var audit: [AuditEntry] = []
    private var isUnchanged = true

    /// First takes note of what schedules have caused since the last change.
    init(_ state: ModelLifecycle.State, _ context: ModelLifecycle.Context) {
        before = state
        self.context = context
        model = state.model
        newest = state.newest
        releases = state.releases
        endSuperseded()
    }

    var now: Int64 { context.nowMicroseconds }

    mutating func record(_ action: String, _ detail: String) {
        isUnchanged = false
        note(action, detail)
    }

    /// For what happened without the call: the call itself has changed nothing.
    private mutating func note(_ action: String, _ detail: String) {
        audit.append(
            AuditEntry(
                projectID: model.projectID, actor: context.actor, action: action, subject: "models/\(model.id)",
                detail: detail, atMicroseconds: now))
    }

    /// A change without any effect leaves revision and update time as they are.
    func finish() -> ModelLifecycle.Change {
        guard !audit.isEmpty else {
            var change = ModelLifecycle.Change(model: before.model)
            change.warnings = warnings
            change.refusal = refusal
            change.existingRelease = existingRelease
            change.isUnchanged = isUnchanged
            return change
        }
        var change = ModelLifecycle.Change(model: model)
        change.model.isPublished = releases.contains { $0.endedMicroseconds == nil }
        change.model.releasedVersion = ReleaseLifecycle.releasedVersion(releases, nowMicroseconds: now)
        change.model.revision += 1
        change.model.updatedMicroseconds = now
        change.newVersion = newVersion
        let old = Dictionary(before.releases.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        change.newReleases = releases.filter { old[$0.number] == nil }
        change.changedReleases = releases.filter { release in old[release.number].map { $0 != release } ?? false }
        change.warnings = warnings
        change.refusal = refusal
        change.existingRelease = existingRelease
        change.isUnchanged = isUnchanged
        change.audit = audit
        return change
    }
}

// MARK: - Versions

extension ModelDraft {
    /// A second identical update must succeed without creating a version.
    func isNew(_ object: UploadedObject) -> Bool {
        object.sha256 != newest?.version.sha256 || object.uri != newest?.version.sourceURI
    }

    mutating func addVersion(of object: UploadedObject, _ validation: Validation) {
        let version = ModelVersion(
            modelID: model.id, number: (newest?.version.number ?? 0) + 1, sha256: object.sha256,
            sizeBytes: object.sizeBytes, sourceURI: object.uri, createdMicroseconds: now, createdBy: context.actor)
        newest = ModelLifecycle.KnownVersion(version: version, validation: validation)
        newVersion = version
        model.newestVersion = version.number
        record("version.create", "version \(version.number) \(version.sha256)")
    }

    mutating func publishWhenValidated(_ version: Int) {
        guard model.publishWhenValidated != version else { return }
        model.publishWhenValidated = version
        record("model.publish.wait", "version \(version)")
    }

    /// A version was to be published, but a newer file that cannot be published replaced it.
    mutating func cancelPendingPublish() {
        guard let waiting = model.publishWhenValidated else { return }
        model.publishWhenValidated = nil
        record("model.publish.refused", "version \(waiting) is no longer the newest")
    }

    /// The version stays, unreleased. A refusal that leaves all as it was, for example when a script runs again, is not
    /// a change.
    mutating func refuse(_ refusal: CatalogError) {
        self.refusal = refusal
        guard newVersion != nil || model.publishWhenValidated != nil else { return }
        model.publishWhenValidated = nil
        record("model.publish.refused", refusal.message)
    }

    mutating func warn(_ lines: [String]) { warnings += lines }

    /// Why the version must not be released: because it crashed the engine, or because the model refuses its contract or
    /// its rehearsal. If the model only warns, the warnings are kept.
    mutating func refusal(
        of known: ModelLifecycle.KnownVersion, allowContractChange: Bool, allowCrashing: Bool,
        allowFailedRehearsal: Bool = false
    ) -> CatalogError? {
        if let refusal = CrashRule.refusal(of: known, isAllowed: allowCrashing) { return refusal }
        if let refusal = contractRefusal(known, isAllowed: allowContractChange) { return refusal }
        var state = before
        state.model = model
        let result = RehearsalRule.check(known, state, isAllowed: allowFailedRehearsal)
        warnings += result.warnings
        return result.refusal
    }

    private mutating func contractRefusal(
        _ known: ModelLifecycle.KnownVersion, isAllowed: Bool
    ) -> CatalogError? {
        var state = before
        state.model = model
        let result = ContractComparison.check(known, state, isAllowed: isAllowed)
        warnings += result.warnings
        return result.refusal
    }
}

// MARK: - Releases

extension ModelDraft {
    var activeReleases: [Release] { releases.filter { $0.endedMicroseconds == nil } }

    /// Makes a full release of the version, as publishing does.
    mutating func publish(_ known: ModelLifecycle.KnownVersion) {
        let version = known.version.number
        let release = nextRelease(version, .publish)
        let ended = insert(release)
        record(
            "model.publish",
            "version \(version), release \(release.number)" + CrashRule.note(on: known) + Self.ending(ended))
    }

    /// Whether the release would change nothing. For a full release: all devices already get its version, and no other
    /// release is under way or waits. For any other release: all devices already get its version and no newer release
    /// is active, or a release with the same version, devices and schedule is under way.
    mutating func isAlreadyInEffect(_ release: Release) -> Bool {
        let isFull = EffectiveShare.isFull(release, nowMicroseconds: now)
        guard !isFull || model.publishWhenValidated == nil else { return false }
        let newest = activeReleases.first.flatMap { first in
            first.version == release.version && EffectiveShare.isFull(first, nowMicroseconds: now) ? first : nil
        }
        guard let present = newest ?? (isFull ? nil : activeReleases.first { $0.isSameRollout(as: release) }) else {
            return false
        }
        existingRelease = present.number
        if newest != nil, !isFull {
            warn([
                "all devices get version \(release.version) already, by release \(present.number): no other was made, and the "
                    + "share, the stages and the audience of this call have no effect"
            ])
        }
        return true
    }

    /// A release with the next number. It exists only after `insert`.
    func nextRelease(
        _ version: Int, _ kind: Release.Kind, share: Int = Release.fullShare, stages: [Release.Stage] = [],
        audience: Audience = Audience()
    ) -> Release {
        Release(
            modelID: model.id, number: (releases.map(\.number).max() ?? 0) + 1, version: version, kind: kind,
            shareMillionths: share, stages: stages, audience: audience, createdMicroseconds: now,
            createdBy: context.actor)
    }

    /// - Returns: the numbers of the releases that this one has ended.
    mutating func insert(_ release: Release) -> [Int] {
        releases.insert(release, at: 0)
        return settle(release)
    }

    /// - Returns: the numbers of the releases that this one, as changed, has ended.
    mutating func replace(_ release: Release) -> [Int] {
        guard let index = releases.firstIndex(where: { $0.number == release.number }) else { return [] }
        releases[index] = release
        return settle(release)
    }

    /// Ends all releases: devices get no version any more, and keep the one they have. A version that still waits to be
    /// published is no longer published.
    mutating func unpublish() {
        guard !activeReleases.isEmpty || model.publishWhenValidated != nil else { return }
        model.publishWhenValidated = nil
        let ended = endAll(below: Int.max, at: now)
        record("model.unpublish", ended.isEmpty ? "" : "ended \(ReleaseDescription.numbers(ended))")
    }

    static func ending(_ numbers: [Int]) -> String {
        numbers.isEmpty ? "" : "; ended \(ReleaseDescription.numbers(numbers))"
    }

    /// A release to all devices ends those before it, and replaces a version that waits to be published.
    private mutating func settle(_ release: Release) -> [Int] {
        guard EffectiveShare.isFull(release, nowMicroseconds: now) else { return [] }
        model.publishWhenValidated = nil
        return endAll(below: release.number, at: now)
    }

    private mutating func endAll(below number: Int, at time: Int64) -> [Int] {
        var ended: [Int] = []
        for index in releases.indices where releases[index].number < number && releases[index].endedMicroseconds == nil
        {
            releases[index].endedMicroseconds = time
            ended.append(releases[index].number)
        }
        return ended
    }

    /// No timer ends releases: when a schedule has reached all devices, the next change of the model ends the releases
    /// before that one. Until then they exist, and are never chosen.
    private mutating func endSuperseded() {
        let full = activeReleases.compactMap { release in
            EffectiveShare.fullSince(release).map { (release: release, since: $0) }
        }
        for (release, since) in full.sorted(by: { $0.since < $1.since }) where since <= now {
            let isEnded = releases.contains { $0.number == release.number && $0.endedMicroseconds != nil }
            guard !isEnded else { continue }
            let ended = endAll(below: release.number, at: since)
            guard !ended.isEmpty || before.model.releasedVersion != release.version else { continue }
            note(
                "release.complete",
                "\(ReleaseDescription.title(release)), since \(ReleaseDescription.time(since))" + Self.ending(ended))
        }
    }
}

extension Release {
    /// Whether both give the same version to the same devices at the same times.
    fileprivate func isSameRollout(as other: Release) -> Bool {
        version == other.version && hasSameShare(as: other) && stages == other.stages
            && pausedMicroseconds == nil && AudienceValidator.isSame(audience, other.audience)
            && hasSameGuarding(as: other)
    }

    /// Whether this one has the share of the other one, or has grown from it by its plan.
    private func hasSameShare(as other: Release) -> Bool {
        shareMillionths == other.shareMillionths
            || guarding?.plan.isEmpty == false && shareMillionths > other.shareMillionths
    }

    private func hasSameGuarding(as other: Release) -> Bool {
        guard let guarding, let wanted = other.guarding else { return guarding == nil && other.guarding == nil }
        return guarding.isSame(as: wanted)
    }
}
