import HearthWire

/// The share of the devices that a release reaches: a pure function of its schedule and the time. The time stands still
/// while the release is paused, and when it has ended.
package enum EffectiveShare {
    /// The share at that moment, in millionths: that of the last stage reached, or the initial share before the first
    /// stage.
    package static func share(of release: Release, nowMicroseconds: Int64) -> Int {
        guard !release.stages.isEmpty else { return release.shareMillionths }
        let now = clock(of: release, nowMicroseconds: nowMicroseconds)
        return release.stages.last { $0.atMicroseconds <= now }?.shareMillionths ?? release.shareMillionths
    }

    /// Whether every device gets the release or a later one: no audience, the full share, neither paused nor ended.
    package static func isFull(_ release: Release, nowMicroseconds: Int64) -> Bool {
        release.endedMicroseconds == nil && release.pausedMicroseconds == nil && release.audience.isEverybody
            && share(of: release, nowMicroseconds: nowMicroseconds) >= Release.fullShare
    }

    /// Since when, by its schedule, every device gets the release. The moment may be in the future; nil if there is
    /// none.
    package static func fullSince(_ release: Release) -> Int64? {
        guard release.pausedMicroseconds == nil, release.audience.isEverybody else { return nil }
        if release.shareMillionths >= Release.fullShare { return release.createdMicroseconds }
        let stage = release.stages.first { $0.shareMillionths >= Release.fullShare }
        return stage.map { max($0.atMicroseconds, release.createdMicroseconds) }
    }

    /// Whether every device gets the release, or got it before it ended.
    static func reachedAll(_ release: Release, nowMicroseconds: Int64) -> Bool {
        guard let since = fullSince(release) else { return false }
        return since <= release.endedMicroseconds ?? nowMicroseconds
    }

    /// Whether every device gets the version, or once got it, by one of these releases of its model.
    package static func reachedAll(version: Int, by releases: [Release], nowMicroseconds: Int64) -> Bool {
        releases.contains { $0.version == version && reachedAll($0, nowMicroseconds: nowMicroseconds) }
    }

    /// The time that counts for the schedule.
    static func clock(of release: Release, nowMicroseconds: Int64) -> Int64 {
        min(
            nowMicroseconds, release.pausedMicroseconds ?? nowMicroseconds,
            release.endedMicroseconds ?? nowMicroseconds)
    }
}
