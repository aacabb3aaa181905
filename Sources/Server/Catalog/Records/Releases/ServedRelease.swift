import HearthWire

/// A release that has not ended, with all that an answer to a device needs. A class, because each device's call reads
/// it, and none should copy its texts and lists.
package final class ServedRelease: Sendable {
    package let projectID: String
    package let displayName: String
    package let release: Release
    /// The hash of the version, in lower-case hex.
    package let sha256: String
    package let sizeBytes: UInt64
    /// Whether every device gets it at any time: no audience, no stages, the full share, not paused.
    package let isForEverybody: Bool
    /// Whether what devices do with it is watched now.
    package let isWatched: Bool

    package init(projectID: String, displayName: String, release: Release, sha256: String, sizeBytes: UInt64) {
        self.projectID = projectID
        self.displayName = displayName
        self.release = release
        self.sha256 = sha256
        self.sizeBytes = sizeBytes
        isForEverybody =
            release.audience.isEverybody && release.stages.isEmpty && release.pausedMicroseconds == nil
            && release.shareMillionths >= Release.fullShare
        isWatched =
            release.guarding?.guards.isEmpty == false && release.pausedMicroseconds == nil && !isForEverybody
    }
}

extension ServedRelease: Hashable {
    package static func == (left: ServedRelease, right: ServedRelease) -> Bool {
        left.projectID == right.projectID && left.displayName == right.displayName && left.release == right.release
            && left.sha256 == right.sha256 && left.sizeBytes == right.sizeBytes
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(projectID)
        hasher.combine(displayName)
        hasher.combine(release.number)
    }
}
