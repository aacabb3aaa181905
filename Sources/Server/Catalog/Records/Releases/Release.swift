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
