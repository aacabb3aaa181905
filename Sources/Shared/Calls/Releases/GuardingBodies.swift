public import HearthWire

extension ReleaseBodies {
    /// How the server watches a release that reaches a share of the devices.
    public struct Guarding: Codable, Sendable, Equatable, KeyedBody {
        /// The shares through which the release goes by itself, 0 to 1, growing; it begins with the first one. Empty for
        /// none.
        public var plan: [Double]?
        /// How long a device must have the version before it counts as sound, and how long each share lasts at least: 60
        /// to 2,592,000. Default 7200.
        public var holdSeconds: Int?
        /// What happens when a guard finds harm: `pause` (default), so that devices that have the version keep it, or
        /// `rollback`, so that they get the fallback release again.
        public var onHarm: String?
        /// Guards that are off: `returned-without`, `load-failures`, `crashes`, `failed-runs`, `run-time`.
        public var off: [String]?

        package enum CodingKeys: String, CodingKey, CaseIterable { case plan, holdSeconds, onHarm, off }

        /// Makes one with these values.
        public init(
            plan: [Double]? = nil, holdSeconds: Int? = nil, onHarm: String? = nil, off: [String]? = nil
        ) {
            self.plan = plan
            self.holdSeconds = holdSeconds
            self.onHarm = onHarm
            self.off = off
        }
    }

    /// How the server watches a release, and what it has seen.
    public struct GuardingStatus: Codable, Sendable, Equatable {
        /// As `Guarding.plan`; nil for none.
        public var plan: [Double]?
        /// As `Guarding.holdSeconds`.
        public var holdSeconds: Int
        /// As `Guarding.onHarm`.
        public var onHarm: String
        /// What the guards that are on now look at: `returns` (which version devices name when they ask again),
        /// `reports` (what they report). Nil for a release that is not under way or reaches all devices
        /// of its audience.
        public var watchedBy: [String]?
        /// Why the server does not watch the release, whose plan waits meanwhile; nil if it does. `too-many`: it watches
        /// too many others, until one of them ends or reaches all its devices. `nothing-below`: no older release is
        /// under way, with whose devices its devices could be compared.
        public var unwatched: String?
        /// The share of the watched devices on the baseline that report, 0 to 1. From 0.2 on, the guards on reports
        /// are on.
        public var reportingShare: Double?
        /// Which devices take part; nil for a release that the server does not watch, and before the first device asks.
        public var devices: WatchedDevices?
        /// All guards, with what they have seen.
        public var guards: [GuardState]
        /// Why the server stopped the release; nil if it did not.
        public var stop: GuardStop?

        package init(
            plan: [Double]?, holdSeconds: Int, onHarm: String, watchedBy: [String]?, unwatched: String? = nil,
            reportingShare: Double?, devices: WatchedDevices? = nil, guards: [GuardState], stop: GuardStop?
        ) {
            self.plan = plan
            self.holdSeconds = holdSeconds
            self.onHarm = onHarm
            self.watchedBy = watchedBy
            self.unwatched = unwatched
            self.reportingShare = reportingShare
            self.devices = devices
            self.guards = guards
            self.stop = stop
        }
    }

    /// One guard of a release.
    public struct GuardState: Codable, Sendable, Equatable {
        /// `returned-without`, `load-failures`, `crashes`, `failed-runs` or `run-time`.
        public var name: String
        /// `violated`; `satisfied`: harm that matters is ruled out; `undecided`: too few devices to say; `waiting`: too
        /// few devices report; `unwatched`: the server does not watch the release; `off`.
        public var state: String
        /// The devices that it has seen; nil unless it is on.
        public var devices: GuardCounts?
        /// Of those, the ones that failed; nil for `run-time`.
        public var failed: GuardCounts?
        /// For `run-time`: the factor by which a run takes longer with the version; nil without data.
        public var ratio: Double?
        /// The always-valid intervals of the shares of devices that fail; nil unless the guard is on, and for `run-time`.
        public var rateIntervals: GuardRateIntervals?
        /// For `run-time`: the always-valid interval of the ratio, lowest and highest value; nil with fewer than 200
        /// devices with the version or the baseline.
        public var ratioInterval: [Double]?
        /// What the guard compares with; nil if it is off.
        public var limit: GuardLimit?
        /// What it lacks to decide, and what helps, for people; nil unless it is `undecided`.
        public var lacks: String?

        package init(
            name: String, state: String, devices: GuardCounts? = nil, failed: GuardCounts? = nil, ratio: Double? = nil,
            rateIntervals: GuardRateIntervals? = nil, ratioInterval: [Double]? = nil, limit: GuardLimit? = nil,
            lacks: String? = nil
        ) {
            self.name = name
            self.state = state
            self.devices = devices
            self.failed = failed
            self.ratio = ratio
            self.rateIntervals = rateIntervals
            self.ratioInterval = ratioInterval
            self.limit = limit
            self.lacks = lacks
        }
    }

    /// Which devices the guards of a release compare. A device takes part if its first call since the watch began named
    /// the version that it would get without the release.
    public struct WatchedDevices: Codable, Sendable, Equatable {
        /// When the watch began; RFC 3339. Later than the release if guards were set later, or if the server that watches was
        /// replaced.
        public var since: String
        /// Devices that take part now.
        public var takingPart: GuardCounts
        /// The share of all devices whose places in the draw are compared, 0 to 1; less than 1 if the release reached devices
        /// before the watch began, or if its share was lowered.
        public var comparedShare: Double
        /// Devices that do not take part, because they first named no version or another one.
        public var namedOther: Int
        /// Devices that do not take part, because the server watches a sample.
        public var outsideSample: Int
        /// Devices that take part no more: they were pinned or deleted, or entered an experiment or a newer release, or
        /// the share was lowered.
        public var left: Int
        /// Devices that were given the version and have or had it.
        public var taken: Int
        /// Devices that were given the version, came back several times, and never had it. They stop nothing: no device
        /// on the baseline shows whether they would take another version.
        public var neverTaken: Int
        /// Devices that were given the version and said that they rejected it.
        public var rejected: Int
        /// Devices that were given the version, and whose last call said that they have no room for it.
        public var lackingStorage: Int

        package init(
            since: String, takingPart: GuardCounts, comparedShare: Double, namedOther: Int, outsideSample: Int,
            left: Int, taken: Int, neverTaken: Int, rejected: Int, lackingStorage: Int
        ) {
            self.since = since
            self.takingPart = takingPart
            self.comparedShare = comparedShare
            self.namedOther = namedOther
            self.outsideSample = outsideSample
            self.left = left
            self.taken = taken
            self.neverTaken = neverTaken
            self.rejected = rejected
            self.lackingStorage = lackingStorage
        }
    }

    /// Where the true shares of failing devices are, as lowest and highest value, 0 to 1. At all times together each
    /// interval is right, except with the probability `GuardLimit.errorRate`, however often it is read.
    public struct GuardRateIntervals: Codable, Sendable, Equatable {
        /// Of the devices with the version. The highest value counts only devices that had it for `holdSeconds`.
        public var version: [Double]
        /// Of the devices on the baseline.
        public var below: [Double]

        package init(version: [Double], below: [Double]) {
            self.version = version
            self.below = below
        }
    }

    /// When a guard stops a release, and when it has seen enough.
    public struct GuardLimit: Codable, Sendable, Equatable {
        /// The share of the version's devices that may fail, 0 to 1, however few fail with the baseline; for `run-time` the
        /// ratio of the times that is accepted.
        public var tolerated: Double
        /// The additional share of failing devices that the guard rules out before it is `satisfied`; for `run-time` the
        /// ratio of the times.
        public var harmful: Double
        /// The chance that the guard ever stops a sound version.
        public var errorRate: Double

        package init(tolerated: Double, harmful: Double, errorRate: Double) {
            self.tolerated = tolerated
            self.harmful = harmful
            self.errorRate = errorRate
        }
    }

    /// Devices that the draw gave the version, and devices that it left on the baseline.
    public struct GuardCounts: Codable, Sendable, Equatable {
        /// Devices with the version.
        public var version: Int
        /// Devices on the baseline; of a large fleet, a sample.
        public var below: Int

        package init(version: Int, below: Int) {
            self.version = version
            self.below = below
        }
    }

    /// Why the server stopped a release.
    public struct GuardStop: Codable, Sendable, Equatable {
        /// The name of the guard.
        public var name: String
        /// When it did; RFC 3339.
        public var time: String
        /// The numbers, for people.
        public var reason: String

        package init(name: String, time: String, reason: String) {
            self.name = name
            self.time = time
            self.reason = reason
        }
    }
}
