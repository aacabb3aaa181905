/// Bodies of the calls about a model's versions and releases, below `/hearth/v1/projects/{project}/models/{numeric id}`.
///
/// `GET` and `POST …/versions`, `GET …/versions/{n}`; `GET` and `POST …/releases`, `GET` and `PATCH …/releases/{n}`,
/// `POST …/releases/{n}:pause`, `:resume`, `:end`; `POST …/models/{id}:rollback`. Times are RFC 3339.
package enum ReleaseBodies {
    package struct Version: Codable, Sendable, Equatable {
        package var version: Int
        /// Lower-case hex SHA-256.
        package var modelHash: String
        package var sizeBytes: String
        /// `gs://bucket/object` that it was made from.
        package var source: String
        package var createTime: String
        package var createdBy: String
        /// `pending`, `ok`, `unsupported` or `malformed`.
        package var verdict: String
        /// Why it is not `ok`.
        package var message: String?
        package var contract: ModelContract?
        /// What a run of it took where it was checked.
        package var figures: ModelMeasurements?
        /// Why a sound model has no figures.
        package var figuresNote: String?

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
    package struct Stage: Codable, Sendable, Equatable, KeyedBody {
        package var time: String
        /// 0 to 1.
        package var share: Double

        package enum CodingKeys: String, CodingKey, CaseIterable { case time, share }

        package init(time: String, share: Double) {
            self.time = time
            self.share = share
        }
    }

    package struct Release: Codable, Sendable, Equatable {
        package var release: Int
        package var version: Int
        /// `publish`, `rollout` or `rollback`.
        package var kind: String
        /// `active`, `paused` or `ended`.
        package var state: String
        /// Share of the installations now, 0 to 1.
        package var share: Double
        /// Reached ones too, in order of time.
        package var stages: [Stage]?
        /// Left out for everybody.
        package var audience: Audience?
        package var createTime: String
        package var createdBy: String
        package var pauseTime: String?
        package var endTime: String?
        /// In the answer that made or changed the release, one line each: how its contract differs from that of the
        /// version released before, stages in the past, names that no device is known to say.
        package var warnings: [String]?
        /// In the answer to a call that asked for what is so already: true.
        package var unchanged: Bool?
        /// In the answer to the call that ended others: these, newest first, with the share that they had in the end.
        package var endedReleases: [Release]?

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

    package struct CreateRequest: Codable, Sendable, KeyedBody {
        /// Default: the newest.
        package var version: Int?
        /// 0 to 1; default 1.
        package var share: Double?
        package var stages: [Stage]?
        package var audience: Audience?
        /// Releases it although its contract differs and the model refuses that.
        package var allowContractChange: Bool?
        /// Releases a version that crashed the engine when the server ran it.
        package var allowCrashing: Bool?

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case version, share, stages, audience, allowContractChange, allowCrashing
        }

        package static var parts: [String: any KeyedBody.Type] { ["stages": Stage.self, "audience": Audience.self] }

        package init(
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
    package struct UpdateRequest: Codable, Sendable, KeyedBody {
        package var share: Double?
        package var stages: [Stage]?
        package var audience: Audience?
        /// Lets it reach more devices although its contract differs and the model refuses that.
        package var allowContractChange: Bool?
        /// Releases a version that crashed the engine when the server ran it.
        package var allowCrashing: Bool?

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case share, stages, audience, allowContractChange, allowCrashing
        }

        package static var parts: [String: any KeyedBody.Type] { ["stages": Stage.self, "audience": Audience.self] }

        package init(
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

    package struct RollbackRequest: Codable, Sendable, KeyedBody {
        /// Default: the version that was released before the present one.
        package var version: Int?
        /// Releases a version that all devices never had although its contract differs and the model refuses that.
        package var allowContractChange: Bool?
        /// Releases a version that crashed the engine when the server ran it.
        package var allowCrashing: Bool?

        package enum CodingKeys: String, CodingKey, CaseIterable { case version, allowContractChange, allowCrashing }

        package init(version: Int? = nil, allowContractChange: Bool? = nil, allowCrashing: Bool? = nil) {
            self.version = version
            self.allowContractChange = allowContractChange
            self.allowCrashing = allowCrashing
        }
    }
}
