/// The answer of `GET /hearth/v1/projects/{project}/models/{numeric id}/devices`: which versions of a model
/// installations have.
public enum DeviceBodies {
    /// The estimates of one model.
    public struct Report: Codable, Sendable, Equatable {
        /// The model's display name.
        public var model: String
        /// When the estimates were made, RFC 3339.
        public var time: String
        /// All installations that asked for the model.
        public var devices: [Estimate]
        /// By the version that an installation named last, the most frequent ones first: a number, `none` for
        /// installations that named no version, and `other`.
        public var versions: [Line]
        /// By system, as the devices name it.
        public var systems: [Line]
        /// By version of the app.
        public var appVersions: [Line]

        package init(
            model: String, time: String, devices: [Estimate], versions: [Line], systems: [Line], appVersions: [Line]
        ) {
            self.model = model
            self.time = time
            self.devices = devices
            self.versions = versions
            self.systems = systems
            self.appVersions = appVersions
        }
    }

    /// The answer of `GET …/models/{numeric id}/recentDevices`: installations whose last call for a model the server
    /// remembers. It remembers calls while the answer depends on the device, in memory, at most 10,000 of all models.
    package struct RecentList: Codable, Sendable {
        /// The latest call first.
        package var devices: [Recent]?
        /// How many the server remembers that meet the query.
        package var totalSize: Int

        package init(devices: [Recent]?, totalSize: Int) {
            self.devices = devices
            self.totalSize = totalSize
        }
    }

    /// What an installation said in its last call for a model.
    package struct Recent: Codable, Sendable, Hashable {
        /// Its name in logs, `device:` and 12 hexadecimal digits.
        package var installation: String
        /// When it asked.
        package var lastCallTime: String
        /// The version that it had then; nil if it had none, or bytes of no version.
        package var version: Int?
        package var os: String?
        package var appVersion: String?
        package var language: String?
        package var country: String?
        package var tags: [String]?

        package init(installation: String, lastCallTime: String) {
            self.installation = installation
            self.lastCallTime = lastCallTime
        }
    }

    /// The installations with one value.
    public struct Line: Codable, Sendable, Equatable {
        /// The value; `unknown` if the device did not say, and `other` for all that have no line of their own.
        public var name: String
        /// For 1, 7 and 28 days.
        public var devices: [Estimate]

        package init(name: String, devices: [Estimate]) {
            self.name = name
            self.devices = devices
        }
    }

    /// How many installations asked for the model in the last days.
    public struct Estimate: Codable, Sendable, Equatable {
        /// Calendar days in UTC by the server's clock. Today is the last one.
        public var days: Int
        /// How many installations.
        public var count: Int64
        /// In 95 of 100 cases the true number differs by at most this much; 0 if the count is exact.
        public var margin: Int64

        package init(days: Int, count: Int64, margin: Int64) {
            self.days = days
            self.count = count
            self.margin = margin
        }
    }

    package static let none = "none"
    package static let other = "other"
    package static let unknown = "unknown"
}
