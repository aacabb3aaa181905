public import HearthWire

/// Which version devices get: to what share of them, under which conditions, since when and until when.
///
/// Of a model's releases that have not ended, a device gets the newest whose audience it is in and whose share holds it.
public struct Release: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable, Codable {
        case publish
        case rollout
        case rollback
    }

    /// From `atMicroseconds` on, the share is this.
    public struct Stage: Sendable, Hashable, Codable {
        public var atMicroseconds: Int64
        public var shareMillionths: Int

        public init(atMicroseconds: Int64, shareMillionths: Int) {
            self.atMicroseconds = atMicroseconds
            self.shareMillionths = shareMillionths
        }
    }

    /// The share that means every installation.
    public static let fullShare = 1_000_000

    public var modelID: Int64
    /// 1, 2, 3 … within the model.
    public var number: Int
    public var version: Int
    public var kind: Kind
    /// Share of the installations before the first stage is reached, 0 to `fullShare`.
    public var shareMillionths: Int
    /// In order of time.
    public var stages: [Stage]
    public var audience: Audience
    /// Since then nobody new gets it, and its stages stand still; nil when it goes on.
    public var pausedMicroseconds: Int64?
    public var endedMicroseconds: Int64?
    public var createdMicroseconds: Int64
    public var createdBy: String

    public init(
        modelID: Int64, number: Int, version: Int, kind: Kind, shareMillionths: Int = Release.fullShare,
        stages: [Stage] = [], audience: Audience = Audience(), pausedMicroseconds: Int64? = nil,
        endedMicroseconds: Int64? = nil, createdMicroseconds: Int64, createdBy: String
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
        self.createdMicroseconds = createdMicroseconds
        self.createdBy = createdBy
    }
}

/// A release that has not ended, with all that an answer to a device needs. By reference: every device's question looks at
/// it, and none copies its texts and lists.
public final class ServedRelease: Sendable {
    public let projectID: String
    public let displayName: String
    public let release: Release
    /// Of the version, lower-case hex.
    public let sha256: String
    public let sizeBytes: UInt64
    /// Whether every device gets it, at any time: no audience, no stages, no device left out, not paused.
    public let isForEverybody: Bool

    public init(projectID: String, displayName: String, release: Release, sha256: String, sizeBytes: UInt64) {
        self.projectID = projectID
        self.displayName = displayName
        self.release = release
        self.sha256 = sha256
        self.sizeBytes = sizeBytes
        isForEverybody =
            release.audience.isEverybody && release.stages.isEmpty && release.pausedMicroseconds == nil
            && release.shareMillionths >= Release.fullShare
    }
}

extension ServedRelease: Hashable {
    public static func == (left: ServedRelease, right: ServedRelease) -> Bool {
        left.projectID == right.projectID && left.displayName == right.displayName && left.release == right.release
            && left.sha256 == right.sha256 && left.sizeBytes == right.sizeBytes
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(projectID)
        hasher.combine(displayName)
        hasher.combine(release.number)
    }
}
