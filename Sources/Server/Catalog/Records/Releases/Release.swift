package import HearthWire

/// A rule that gives a version to devices: to which share of them, under which conditions, since when and until when.
///
/// A device gets the newest of a model's active releases whose audience and share include it.
package struct Release: Sendable, Hashable {
    /// How a release came about.
    package enum Kind: String, Sendable, Hashable, Codable {
        case publish
        case rollout
        case rollback
    }

    /// The share from `atMicroseconds` on.
    package struct Stage: Sendable, Hashable, Codable {
        package var atMicroseconds: Int64
        package var shareMillionths: Int

        package init(atMicroseconds: Int64, shareMillionths: Int) {
            self.atMicroseconds = atMicroseconds
            self.shareMillionths = shareMillionths
        }
    }

    /// The share of all installations.
    package static let fullShare = 1_000_000

    package var modelID: Int64
    /// 1, 2, 3 … within the model.
    package var number: Int
    package var version: Int
    package var kind: Kind
    /// The share of the installations before the first stage, 0 to `fullShare`.
    package var shareMillionths: Int
    /// In order of time.
    package var stages: [Stage]
    package var audience: Audience
    /// Since when no further devices get it and its stages stand still; nil if it is not paused.
    package var pausedMicroseconds: Int64?
    package var endedMicroseconds: Int64?
    /// Nil if the server does not watch it.
    package var guarding: ReleaseGuarding?
    package var createdMicroseconds: Int64
    package var createdBy: String

    package init(
        modelID: Int64, number: Int, version: Int, kind: Kind, shareMillionths: Int = Release.fullShare,
        stages: [Stage] = [], audience: Audience = Audience(), pausedMicroseconds: Int64? = nil,
        endedMicroseconds: Int64? = nil, guarding: ReleaseGuarding? = nil, createdMicroseconds: Int64,
        createdBy: String
    ) {
        self.modelID = modelID
        self.number = number
        self.version = version
        self.kind = kind
        self.shareMillionths = shareMillionths
        self.stages = stages
        self.audience = audience
        self.pausedMicroseconds = pausedMicroseconds
        self.endedMicroseconds = endedMicroseconds
        self.guarding = guarding
        self.createdMicroseconds = createdMicroseconds
        self.createdBy = createdBy
    }
}

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
