public import HearthWire

/// Bodies of the calls about a model's versions and releases, below `/hearth/v1/projects/{project}/models/{numeric
/// id}`.
///
/// `GET` and `POST …/versions`, `GET` and `PATCH …/versions/{n or alias}`; `GET` and `POST …/releases`, `GET` and
/// `PATCH …/releases/{n}`, `POST …/releases/{n}:pause`, `:resume`, `:end`; `POST …/models/{id}:rollback`. Times are RFC 3339.
public enum ReleaseBodies {
    /// One immutable file of a model.
    public struct Version: Codable, Sendable, Equatable {
        /// The version's number within the model: 1, 2, 3 …
        public var version: Int
        /// The SHA-256 of the file, in lower-case hex.
        public var modelHash: String
        /// Decimal digits.
        public var sizeBytes: String
        /// The `gs://bucket/object` from which it was created.
        public var source: String
        /// When it was created.
        public var createTime: String
        /// Who created it: a service account's email, or `token:{id}`.
        public var createdBy: String
        /// `pending`, `ok`, `unsupported` or `malformed`.
        public var verdict: String
        /// Why the verdict is not `ok`.
        public var message: String?
        /// What the model takes and gives; nil for a file that is not a model.
        public var contract: ModelContract?
        /// The measurements on the machine that validated it.
        public var figures: ModelMeasurements?
        /// Why a valid model has no measurements.
        public var figuresNote: String?
        /// What people wrote about it: one line of at most 500 bytes; nil for nothing.
        public var note: String?
        /// The names that the model has for this version, in alphabetical order; nil for none.
        public var aliases: [String]?

        package init(
            version: Int, modelHash: String, sizeBytes: String, source: String, createTime: String, createdBy: String,
            verdict: String, message: String?, contract: ModelContract?, figures: ModelMeasurements? = nil,
            figuresNote: String? = nil, note: String? = nil, aliases: [String]? = nil
        ) {
            self.version = version
            self.modelHash = modelHash
            self.sizeBytes = sizeBytes
            self.source = source
            self.createTime = createTime
            self.createdBy = createdBy
            self.verdict = verdict
            self.message = message
            self.contract = contract
            self.figures = figures
            self.figuresNote = figuresNote
            self.note = note
            self.aliases = aliases
        }
    }

    /// Creates a version from an uploaded file, and releases nothing.
    package struct CreateVersionRequest: Codable, Sendable, KeyedBody {
        /// The `gs://bucket/object` from the answer to the upload.
        package var source: String
        /// The note of the version. If the newest version is from this source already, it gets the note.
        package var note: String?

        package enum CodingKeys: String, CodingKey, CaseIterable { case source, note }

        package init(source: String, note: String? = nil) {
            self.source = source
            self.note = note
        }
    }

    /// Changes what can change of a version.
    package struct UpdateVersionRequest: Codable, Sendable, KeyedBody {
        /// The note; empty removes it.
        package var note: String

        package enum CodingKeys: String, CodingKey, CaseIterable { case note }

        package init(note: String) { self.note = note }
    }

    /// The list, newest first.
    package struct VersionList: Codable, Sendable {
        package var versions: [Version]?

        package init(versions: [Version]?) { self.versions = versions }
    }

    /// A stage of a schedule: the share from `time` on.
    public struct Stage: Codable, Sendable, Equatable, KeyedBody {
        /// RFC 3339.
        public var time: String
        /// 0 to 1.
        public var share: Double

        package enum CodingKeys: String, CodingKey, CaseIterable { case time, share }

        /// Makes one with these values.
        public init(time: String, share: Double) {
            self.time = time
            self.share = share
        }
    }

    /// The rule that gives a version to a share of the devices.
    public struct Release: Codable, Sendable, Equatable {
        /// The release's number within the model: 1, 2, 3 …
        public var release: Int
        /// The version's number.
        public var version: Int
        /// `publish`, `rollout` or `rollback`.
        public var kind: String
        /// `active`, `paused` or `ended`.
        public var state: String
        /// The share of the installations now, 0 to 1.
        public var share: Double
        /// The stages in order of time, including those that have passed.
        public var stages: [Stage]?
        /// The audience; omitted for every device.
        public var audience: Audience?
        /// When it was created.
        public var createTime: String
        /// Who created it: a service account's email, or `token:{id}`.
        public var createdBy: String
        /// When it was paused; nil when it is not paused.
        public var pauseTime: String?
        /// When it ended; nil until then.
        public var endTime: String?
        /// One line each. In the answer for one release that has not ended: names in its audience that no known device sends.
        /// In the answer that created or changed it also how its contract differs from that of the version released before,
        /// and stages in the past.
        public var warnings: [String]?
        /// True in the answer to a call that changed nothing, because everything was already as requested.
        public var unchanged: Bool?
        /// How the server watches it, and what it has seen; nil if it does not watch it.
        public var guarding: GuardingStatus?
        /// In the answer to a call that ended other releases: these releases, newest first, with the share that they
        /// had at the end.
        public var endedReleases: [Release]?

        package init(
            release: Int, version: Int, kind: String, state: String, share: Double, stages: [Stage]?,
            audience: Audience?, createTime: String, createdBy: String, pauseTime: String?, endTime: String?,
            warnings: [String]?, guarding: GuardingStatus? = nil
        ) {
            self.release = release
            self.version = version
            self.kind = kind
            self.state = state
            self.share = share
            self.stages = stages
            self.audience = audience
            self.createTime = createTime
            self.createdBy = createdBy
            self.pauseTime = pauseTime
            self.endTime = endTime
            self.warnings = warnings
            self.guarding = guarding
        }
    }

    /// The list, newest first.
    package struct ReleaseList: Codable, Sendable {
        package var releases: [Release]?

        package init(releases: [Release]?) { self.releases = releases }
    }

    /// The properties of a new release.
    public struct CreateRequest: Codable, Sendable, KeyedBody {
        /// The version; default: the newest.
        public var version: Int?
        /// The share, 0 to 1; default 1.
        public var share: Double?
        /// A schedule that raises the share; nil for none.
        public var stages: [Stage]?
        /// The audience; nil for every device.
        public var audience: Audience?
        /// How the server watches the release. Default for a release to a share of the devices: it watches, and pauses
        /// the release if the version does harm.
        public var guarding: Guarding?
        /// Releases the version even if its contract differs and the model refuses that.
        public var allowContractChange: Bool?
        /// Releases a version even if it crashed the engine when the server ran it.
        public var allowCrashing: Bool?
        /// Releases a version even if its rehearsal is missing or shows less than the model requires.
        public var allowFailedRehearsal: Bool?

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case version, share, stages, audience, guarding, allowContractChange, allowCrashing, allowFailedRehearsal
        }

        package static var parts: [String: any KeyedBody.Type] {
            ["stages": Stage.self, "audience": Audience.self, "guarding": Guarding.self]
        }

        /// Makes one with these values.
        public init(
            version: Int? = nil, share: Double? = nil, stages: [Stage]? = nil, audience: Audience? = nil,
            guarding: Guarding? = nil, allowContractChange: Bool? = nil, allowCrashing: Bool? = nil,
            allowFailedRehearsal: Bool? = nil
        ) {
            self.version = version
            self.share = share
            self.stages = stages
            self.audience = audience
            self.guarding = guarding
            self.allowContractChange = allowContractChange
            self.allowCrashing = allowCrashing
            self.allowFailedRehearsal = allowFailedRehearsal
        }
    }

    /// Changes of a release. Fields that are nil stay unchanged; a share without stages ends the schedule.
    public struct UpdateRequest: Codable, Sendable, KeyedBody {
        /// 0 to 1.
        public var share: Double?
        /// A schedule that raises the share.
        public var stages: [Stage]?
        /// The audience.
        public var audience: Audience?
        /// How the server watches it from now on; its fields that are nil stay unchanged.
        public var guarding: Guarding?
        /// Lets the release reach more devices even if its contract differs and the model refuses that.
        public var allowContractChange: Bool?
        /// Releases a version even if it crashed the engine when the server ran it.
        public var allowCrashing: Bool?
        /// Releases a version even if its rehearsal is missing or shows less than the model requires.
        public var allowFailedRehearsal: Bool?

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case share, stages, audience, guarding, allowContractChange, allowCrashing, allowFailedRehearsal
        }

        package static var parts: [String: any KeyedBody.Type] {
            ["stages": Stage.self, "audience": Audience.self, "guarding": Guarding.self]
        }

        /// Makes one with these values.
        public init(
            share: Double? = nil, stages: [Stage]? = nil, audience: Audience? = nil, guarding: Guarding? = nil,
            allowContractChange: Bool? = nil, allowCrashing: Bool? = nil, allowFailedRehearsal: Bool? = nil
        ) {
            self.share = share
            self.stages = stages
            self.audience = audience
            self.guarding = guarding
            self.allowContractChange = allowContractChange
            self.allowCrashing = allowCrashing
            self.allowFailedRehearsal = allowFailedRehearsal
        }
    }

    /// A request for a rollback: the version that all devices are to get again.
    public struct RollbackRequest: Codable, Sendable, KeyedBody {
        /// The version; default: the one that was released before the present one.
        public var version: Int?
        /// Releases a version that was never released to all devices, even if its contract differs and the model
        /// refuses that.
        public var allowContractChange: Bool?
        /// Releases a version even if it crashed the engine when the server ran it.
        public var allowCrashing: Bool?
        /// Releases a version even if its rehearsal is missing or shows less than the model requires.
        public var allowFailedRehearsal: Bool?
        /// Changes nothing: the answer is the release that the rollback would make now, whose number another change may take
        /// before.
        public var validateOnly: Bool?

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case version, allowContractChange, allowCrashing, allowFailedRehearsal, validateOnly
        }

        /// Makes one with these values.
        public init(
            version: Int? = nil, allowContractChange: Bool? = nil, allowCrashing: Bool? = nil,
            allowFailedRehearsal: Bool? = nil, validateOnly: Bool? = nil
        ) {
            self.version = version
            self.allowContractChange = allowContractChange
            self.allowCrashing = allowCrashing
            self.allowFailedRehearsal = allowFailedRehearsal
            self.validateOnly = validateOnly
        }
    }
}
