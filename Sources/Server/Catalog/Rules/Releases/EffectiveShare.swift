import HearthWire

/// How many of the devices a release reaches: a pure function of its schedule and the time, which stands still while the
/// release is paused and when it has ended.
package enum EffectiveShare {
    /// The share at that moment, in millionths: that of the last stage reached, or the share before the stages.
    package static func share(of release: Release, nowMicroseconds: Int64) -> Int {
        guard !release.stages.isEmpty else { return release.shareMillionths }
        let now = clock(of: release, nowMicroseconds: nowMicroseconds)
        return release.stages.last { $0.atMicroseconds <= now }?.shareMillionths ?? release.shareMillionths
    }

    /// Whether every device gets the release, or one that came later: no audience, no device left out, neither paused
    /// nor ended.
    package static func isFull(_ release: Release, nowMicroseconds: Int64) -> Bool {
        release.endedMicroseconds == nil && release.pausedMicroseconds == nil && release.audience.isEverybody
            && share(of: release, nowMicroseconds: nowMicroseconds) >= Release.fullShare
    }

    /// Since when, by its schedule, every device gets the release, a moment that may lie ahead; nil when it has no such
    /// moment.
    static func fullSince(_ release: Release) -> Int64? {
        guard release.pausedMicroseconds == nil, release.audience.isEverybody else { return nil }
        if release.shareMillionths >= Release.fullShare { return release.createdMicroseconds }
        let stage = release.stages.first { $0.shareMillionths >= Release.fullShare }
        return stage.map { max($0.atMicroseconds, release.createdMicroseconds) }
    }

    /// Whether every device gets the release, or got it when it ended.
    static func reachedAll(_ release: Release, nowMicroseconds: Int64) -> Bool {
        guard let since = fullSince(release) else { return false }
        return since <= release.endedMicroseconds ?? nowMicroseconds
    }

    /// Whether every device gets the version, or got it once, by one of these releases of its model.
    package static func reachedAll(version: Int, by releases: [Release], nowMicroseconds: Int64) -> Bool {
        releases.contains { $0.version == version && reachedAll($0, nowMicroseconds: nowMicroseconds) }
    }

    /// The time that the schedule knows.
    static func clock(of release: Release, nowMicroseconds: Int64) -> Int64 {
        min(
            nowMicroseconds, release.pausedMicroseconds ?? nowMicroseconds,
            release.endedMicroseconds ?? nowMicroseconds)
    }
}

/// Whether a changed release comes to devices that it did not come to, or not so soon: what the model's contract check is
/// about.
enum ReachComparison {
    static func grows(from old: Release, to new: Release, nowMicroseconds: Int64) -> Bool {
        guard AudienceValidator.isWithin(new.audience, old.audience) else { return true }
        let clock = EffectiveShare.clock(of: old, nowMicroseconds: nowMicroseconds)
        let steps = (old.stages + new.stages).map(\.atMicroseconds).filter { $0 > clock }
        return ([clock] + steps).contains { share(of: new, at: $0) > share(of: old, at: $0) }
    }

    /// As if it were not paused, since it may go on.
    private static func share(of release: Release, at microseconds: Int64) -> Int {
        var release = release
        release.pausedMicroseconds = nil
        return EffectiveShare.share(of: release, nowMicroseconds: microseconds)
    }
}
