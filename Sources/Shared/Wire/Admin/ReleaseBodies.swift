/// Bodies of the calls about a model's versions and releases, below `/hearth/v1/projects/{project}/models/{numeric id}`.
///
/// `GET` and `POST …/versions`, `GET …/versions/{n}`; `GET` and `POST …/releases`, `GET` and `PATCH …/releases/{n}`,
/// `POST …/releases/{n}:pause`, `:resume`, `:end`; `POST …/models/{id}:rollback`. Times are RFC 3339.
public enum ReleaseBodies {
    /// One immutable file of a model.
    public struct Version: Codable, Sendable, Equatable {
        /// The version's number within the model: 1, 2, 3 …
        public var version: Int
        /// Lower-case hex SHA-256.
        public var modelHash: String
        /// Decimal digits.
        public var sizeBytes: String
        /// `gs://bucket/object` that it was made from.
        public var source: String
        /// When it was made.
        public var createTime: String
        /// Who made it: a service account's email, or `token:{id}`.
        public var createdBy: String
        /// `pending`, `ok`, `unsupported` or `malformed`.
        public var verdict: String
        /// Why it is not `ok`.
        public var message: String?
        /// What the model takes and gives; nil for a file that is none.
        public var contract: ModelContract?
        /// What a run of it took where it was checked.
        public var figures: ModelMeasurements?
        /// Why a sound model has no figures.
        public var figuresNote: String?

        package init(
            version: Int, modelHash: String, sizeBytes: String, source: String, createTime: String, createdBy: String,
            verdict: String, message: String?, contract: ModelContract?, figures: ModelMeasurements? = nil,
            figuresNote: String? = nil
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
        }
    }

    /// Makes a version of an uploaded file, and releases nothing.
    package struct CreateVersionRequest: Codable, Sendable, KeyedBody {
        /// `gs://bucket/object`, as the upload answered.
        package var source: String

        package enum CodingKeys: String, CodingKey, CaseIterable { case source }

        package init(source: String) { self.source = source }
    }

    /// Newest first.
    package struct VersionList: Codable, Sendable {
        package var versions: [Version]?

        package init(versions: [Version]?) { self.versions = versions }
    }

    /// From `time` on, the share is this.
    public struct Stage: Codable, Sendable, Equatable, KeyedBody {
        /// RFC 3339.
        public var time: String
        /// 0 to 1.
        public var share: Double

        package enum CodingKeys: String, CodingKey, CaseIterable { case time, share }

        /// One with these values.
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
        /// Share of the installations now, 0 to 1.
        public var share: Double
        /// Reached ones too, in order of time.
        public var stages: [Stage]?
        /// Left out for everybody.
        public var audience: Audience?
        /// When it was made.
        public var createTime: String
        /// Who made it: a service account's email, or `token:{id}`.
        public var createdBy: String
        /// When it was paused; nil where it is not.
        public var pauseTime: String?
        /// When it ended; nil until then.
        public var endTime: String?
        /// In the answer that made or changed the release, one line each: how its contract differs from that of the
        /// version released before, stages in the past, names that no device is known to say.
        public var warnings: [String]?
        /// In the answer to a call that asked for what is so already: true.
        public var unchanged: Bool?
        /// In the answer to the call that ended others: these, newest first, with the share that they had in the end.
        public var endedReleases: [Release]?

        package init(
            release: Int, version: Int, kind: String, state: String, share: Double, stages: [Stage]?,
            audience: Audience?, createTime: String, createdBy: String, pauseTime: String?, endTime: String?,
            warnings: [String]?
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
        }
    }

    /// Newest first.
    package struct ReleaseList: Codable, Sendable {
        package var releases: [Release]?

        package init(releases: [Release]?) { self.releases = releases }
    }

    /// What a new release is to be.
    public struct CreateRequest: Codable, Sendable, KeyedBody {
        /// Default: the newest.
        public var version: Int?
        /// 0 to 1; default 1.
        public var share: Double?
        /// A schedule that raises the share; nil for none.
        public var stages: [Stage]?
        /// The devices that it is for; nil for everybody.
        public var audience: Audience?
        /// Releases it although its contract differs and the model refuses that.
        public var allowContractChange: Bool?
        /// Releases a version that crashed the engine when the server ran it.
        public var allowCrashing: Bool?

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case version, share, stages, audience, allowContractChange, allowCrashing
        }

        package static var parts: [String: any KeyedBody.Type] { ["stages": Stage.self, "audience": Audience.self] }

        /// One with these values.
        public init(
            version: Int? = nil, share: Double? = nil, stages: [Stage]? = nil, audience: Audience? = nil,
            allowContractChange: Bool? = nil, allowCrashing: Bool? = nil
        ) {
            self.version = version
            self.share = share
            self.stages = stages
            self.audience = audience
            self.allowContractChange = allowContractChange
            self.allowCrashing = allowCrashing
        }
    }

    /// What is nil stays; a given share without stages ends the schedule.
    public struct UpdateRequest: Codable, Sendable, KeyedBody {
        /// 0 to 1.
        public var share: Double?
        /// A schedule that raises the share.
        public var stages: [Stage]?
        /// The devices that it is for.
        public var audience: Audience?
        /// Lets it reach more devices although its contract differs and the model refuses that.
        public var allowContractChange: Bool?
        /// Releases a version that crashed the engine when the server ran it.
        public var allowCrashing: Bool?

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case share, stages, audience, allowContractChange, allowCrashing
        }

        package static var parts: [String: any KeyedBody.Type] { ["stages": Stage.self, "audience": Audience.self] }

        /// One with these values.
        public init(
            share: Double? = nil, stages: [Stage]? = nil, audience: Audience? = nil, allowContractChange: Bool? = nil,
            allowCrashing: Bool? = nil
        ) {
            self.share = share
            self.stages = stages
            self.audience = audience
            self.allowContractChange = allowContractChange
            self.allowCrashing = allowCrashing
        }
    }

    /// Which version all devices are to get again.
    public struct RollbackRequest: Codable, Sendable, KeyedBody {
        /// Default: the version that was released before the present one.
        public var version: Int?
        /// Releases a version that all devices never had although its contract differs and the model refuses that.
        public var allowContractChange: Bool?
        /// Releases a version that crashed the engine when the server ran it.
        public var allowCrashing: Bool?

        package enum CodingKeys: String, CodingKey, CaseIterable { case version, allowContractChange, allowCrashing }

        /// One with these values.
        public init(version: Int? = nil, allowContractChange: Bool? = nil, allowCrashing: Bool? = nil) {
            self.version = version
            self.allowContractChange = allowContractChange
            self.allowCrashing = allowCrashing
        }
    }
}
