/// What people should know about a project now: `GET /hearth/v1/projects/{project}/overview`.
///
/// Times are RFC 3339. Models have their ids, as in all calls, and their display names.
public enum OverviewBodies {
    /// The answer.
    public struct Overview: Codable, Sendable, Hashable {
        /// The project's id.
        public var project: String
        /// When it was made.
        public var time: String
        /// Numbers. The lists below are limited; these are not.
        public var counts: Counts
        /// Releases that do not reach all devices of their audience yet, or are paused: the newest first, at most 100.
        public var rollouts: [Rollout]
        /// Releases that a guard or a person ended in the last 7 days, the latest first, at most 20. Releases that a newer
        /// one replaced are not among them.
        public var stopped: [StoppedRelease]
        /// The running experiments, then those that ended in the last 7 days, the latest end first: at most 50.
        public var experiments: [Experiment]
        /// Of each model, the newest version, if it cannot be released: its validation failed, or its last rehearsal does
        /// not show what the model requires. The newest first, at most 20.
        public var failedVersions: [FailedVersion]
        /// Files that wait for their validation, the oldest request first, at most 20.
        public var pending: [PendingValidation]

        package init(
            project: String, time: String, counts: Counts, rollouts: [Rollout], stopped: [StoppedRelease],
            experiments: [Experiment], failedVersions: [FailedVersion], pending: [PendingValidation]
        ) {
            self.project = project
            self.time = time
            self.counts = counts
            self.rollouts = rollouts
            self.stopped = stopped
            self.experiments = experiments
            self.failedVersions = failedVersions
            self.pending = pending
        }
    }

    /// Numbers of a project.
    public struct Counts: Codable, Sendable, Hashable {
        /// Its models.
        public var models: Int
        /// Those that devices get.
        public var publishedModels: Int
        /// The releases of which `rollouts` has the newest.
        public var rollouts: Int
        /// The experiments that run.
        public var runningExperiments: Int
        /// The installations of its apps.
        public var installations: Int
        /// The files of which `pending` has the oldest.
        public var pendingValidations: Int

        package init(
            models: Int, publishedModels: Int, rollouts: Int, runningExperiments: Int, installations: Int,
            pendingValidations: Int
        ) {
            self.models = models
            self.publishedModels = publishedModels
            self.rollouts = rollouts
            self.runningExperiments = runningExperiments
            self.installations = installations
            self.pendingValidations = pendingValidations
        }
    }

    /// A release that is under way and does not reach all devices of its audience, or is paused.
    public struct Rollout: Codable, Sendable, Hashable {
        /// The model's id.
        public var model: String
        /// The model's display name.
        public var displayName: String
        /// The number of the release.
        public var release: Int
        /// The version that it gives out.
        public var version: Int
        /// `active` or `paused`.
        public var state: String
        /// The present share of the devices of its audience, 0 to 1.
        public var share: Double
        /// Whether only some devices belong to its audience.
        public var hasAudience: Bool
        /// When it was made.
        public var createTime: String
        /// The shares through which it goes by itself; nil without a plan.
        public var plan: [Double]?
        /// The next share by its plan or its schedule; nil if there is none.
        public var nextShare: Double?
        /// When its schedule gives it `nextShare`; nil for a plan, which waits for its guards, and while it is paused.
        public var nextTime: String?
        /// All guards together: `violated`, `satisfied`, `undecided`, `waiting` (too few devices report, or the release is
        /// paused), `unwatched` or `off`; nil for a release without guards.
        public var guardState: String?
        /// The state of the guards in words for people, with the numbers, as of the last check some seconds ago.
        public var guardText: String?

        package init(
            model: String, displayName: String, release: Int, version: Int, state: String, share: Double,
            hasAudience: Bool, createTime: String
        ) {
            self.model = model
            self.displayName = displayName
            self.release = release
            self.version = version
            self.state = state
            self.share = share
            self.hasAudience = hasAudience
            self.createTime = createTime
        }
    }

    /// A release that ended before it was replaced.
    public struct StoppedRelease: Codable, Sendable, Hashable {
        /// The model's id.
        public var model: String
        /// The model's display name.
        public var displayName: String
        /// The number of the release.
        public var release: Int
        /// The version that it gave out.
        public var version: Int
        /// When it ended.
        public var endTime: String
        /// The name of the guard that ended it; nil if a person did.
        public var guardName: String?
        /// Why, for people.
        public var reason: String

        package init(
            model: String, displayName: String, release: Int, version: Int, endTime: String, guardName: String?,
            reason: String
        ) {
            self.model = model
            self.displayName = displayName
            self.release = release
            self.version = version
            self.endTime = endTime
            self.guardName = guardName
            self.reason = reason
        }
    }

    /// An experiment that runs or ended lately.
    public struct Experiment: Codable, Sendable, Hashable {
        /// The experiment's name.
        public var name: String
        /// `running`, `stopped` or `rolledOut`.
        public var state: String
        /// When it started.
        public var startTime: String?
        /// When it ended; nil while it runs.
        public var endTime: String?
        /// `goOn`, `winner` or `harm`, as of the last analysis; nil before the first one since the server's start, and for
        /// an experiment that ended before one.
        public var verdict: String?
        /// The variant that was recorded as the winner.
        public var winner: String?
        /// What was found, for people.
        public var summary: String
        /// When a running experiment was last analysed; nil before.
        public var analysisTime: String?

        package init(
            name: String, state: String, startTime: String?, endTime: String?, verdict: String?, winner: String?,
            summary: String, analysisTime: String?
        ) {
            self.name = name
            self.state = state
            self.startTime = startTime
            self.endTime = endTime
            self.verdict = verdict
            self.winner = winner
            self.summary = summary
            self.analysisTime = analysisTime
        }
    }

    /// A version that cannot be released as it is.
    public struct FailedVersion: Codable, Sendable, Hashable {
        /// The model's id.
        public var model: String
        /// The model's display name.
        public var displayName: String
        /// The version.
        public var version: Int
        /// When it was made.
        public var createTime: String
        /// `validation` or `rehearsal`.
        public var kind: String
        /// What is wrong, for people.
        public var reason: String

        package init(
            model: String, displayName: String, version: Int, createTime: String, kind: String, reason: String
        ) {
            self.model = model
            self.displayName = displayName
            self.version = version
            self.createTime = createTime
            self.kind = kind
            self.reason = reason
        }
    }

    /// A file that waits for its validation.
    public struct PendingValidation: Codable, Sendable, Hashable {
        /// The SHA-256 of the file in lower-case hex.
        public var modelHash: String
        /// When the validation was requested.
        public var requestTime: String
        /// Why there is no verdict yet; nil if the file only waits for its turn.
        public var note: String?
        /// The model's id; nil for an upload of which no version was made, like the two below.
        public var model: String?
        /// The model's display name.
        public var displayName: String?
        /// The version.
        public var version: Int?

        package init(
            modelHash: String, requestTime: String, note: String?, model: String?, displayName: String?, version: Int?
        ) {
            self.modelHash = modelHash
            self.requestTime = requestTime
            self.note = note
            self.model = model
            self.displayName = displayName
            self.version = version
        }
    }
}
