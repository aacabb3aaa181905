/// The answer of `GET /hearth/v1/projects/{project}/models/{numeric id}/health`: what devices reported about the
/// versions of a model. It counts reports, loads and runs, not devices.
public enum HealthBodies {
    /// The counts of one model.
    public struct Report: Codable, Sendable, Equatable {
        /// The model's display name.
        public var model: String
        /// Since when, RFC 3339. The period that contains this moment counts as a whole: minutes, hours or days.
        public var since: String
        /// The newest first.
        public var versions: [Version]

        package init(model: String, since: String, versions: [Version]) {
            self.model = model
            self.since = since
            self.versions = versions
        }
    }

    /// The counts of one version.
    public struct Version: Codable, Sendable, Equatable {
        /// The number; nil for all reports about bytes that no version of the model has.
        public var version: Int?
        /// How many reports devices sent.
        public var reports: Int64
        /// How often a device installed the version.
        public var installed: Int64
        /// How often a device gave the version up.
        public var rejected: Int64
        /// How often the version was loaded.
        public var loads: Int64
        /// How often it could not be loaded, by code; at most 20 codes, the rest as `other`.
        public var loadFailures: [String: Int64]
        /// Runs that gave a result.
        public var runs: Int64
        /// Runs that gave none.
        public var failedRuns: Int64
        /// How often the process ended while the version ran, by the name of a signal or `died`; see
        /// `ModelHealth.crashes`.
        public var crashes: [String: Int64]
        /// How long loading took; nil if no device said.
        public var loadTime: Times?
        /// How long runs took; nil if no device said.
        public var runTime: Times?

        package init(
            version: Int?, reports: Int64, installed: Int64, rejected: Int64, loads: Int64,
            loadFailures: [String: Int64], runs: Int64, failedRuns: Int64, crashes: [String: Int64], loadTime: Times?,
            runTime: Times?
        ) {
            self.version = version
            self.reports = reports
            self.installed = installed
            self.rejected = rejected
            self.loads = loads
            self.loadFailures = loadFailures
            self.runs = runs
            self.failedRuns = failedRuns
            self.crashes = crashes
            self.loadTime = loadTime
            self.runTime = runTime
        }
    }

    /// Quantiles of times. They are middles of classes that are 9 % wide, so the true ones differ by at most 5 %.
    public struct Times: Codable, Sendable, Equatable {
        /// How many times there are.
        public var count: Int64
        /// In microseconds.
        public var median: Int64
        /// Of 100 times, 95 are at most this long; in microseconds.
        public var percentile95: Int64

        package init(count: Int64, median: Int64, percentile95: Int64) {
            self.count = count
            self.median = median
            self.percentile95 = percentile95
        }
    }
}
