public import HearthWire

extension ReleaseBodies {
    /// What an installation gets of a model, and why.
    public struct Explanation: Codable, Sendable, Hashable {
        /// The facts about the device that decide.
        public struct Facts: Codable, Sendable, Hashable {
            /// When the device asked for the model last, as far as the server remembers it: the facts are those of this
            /// call. Nil if it remembers none: all facts are those of the request.
            public var lastCallTime: String?
            /// The names of the facts that the request gave, in place of those of the last call.
            public var given: [String]?
            /// The app's version.
            public var appVersion: String?
            /// The operating system in lower case.
            public var os: String?
            /// The language, as a BCP 47 tag.
            public var language: String?
            /// The country, as an ISO 3166-1 alpha-2 code.
            public var country: String?
            /// The tags that the app set.
            public var tags: [String]?
            /// The SHA-256 of the version that the device had at its last call.
            public var knownHash: String?

            package init() {}
        }

        /// A release that the server looked at, the newest first.
        public struct Step: Codable, Sendable, Equatable, Hashable {
            /// The release's number.
            public var release: Int
            /// The version's number.
            public var version: Int
            /// `active` or `paused`.
            public var state: String
            /// The share of the installations now, 0 to 1.
            public var share: Double
            /// The audience; omitted for every device.
            public var audience: Audience?
            /// Whether it includes the device. If so, the device gets its version.
            public var isIncluded: Bool
            /// Why it does not include the device: `paused`, `share`, or the part of the audience that the device does
            /// not match: `operatingSystem`, `country`, `tag`, `language`, `appVersion`, `condition`.
            public var because: String?
            /// The installation's number in this release, 0 to 1, if it decides: the release includes installations
            /// whose number is below its share.
            public var number: Double?

            package init(
                release: Int, version: Int, state: String, share: Double, audience: Audience?, isIncluded: Bool,
                because: String?, number: Double?
            ) {
                self.release = release
                self.version = version
                self.state = state
                self.share = share
                self.audience = audience
                self.isIncluded = isIncluded
                self.because = because
                self.number = number
            }
        }

        /// A running experiment that varies the model.
        public struct ExperimentStep: Codable, Sendable, Equatable, Hashable {
            /// The experiment's name.
            public var experiment: String
            /// The share of all installations that it was given, 0 to 1.
            public var share: Double
            /// The condition of its audience; omitted for all devices.
            public var audience: String?
            /// Whether the device takes part.
            public var isIncluded: Bool
            /// Why the device does not take part: `share`; `audience`; `otherExperiment` if it is in the share of another
            /// experiment that may share no devices with this one; `pinnedVariant` if it has a pinned variant of such an
            /// experiment; `unpublished` if the model has no active release.
            public var because: String?
            /// The name of the other experiment.
            public var otherExperiment: String?

            package init(
                experiment: String, share: Double, audience: String?, isIncluded: Bool, because: String? = nil,
                otherExperiment: String? = nil
            ) {
                self.experiment = experiment
                self.share = share
                self.audience = audience
                self.isIncluded = isIncluded
                self.because = because
                self.otherExperiment = otherExperiment
            }
        }

        /// The model's display name.
        public var model: String
        /// The installation's name in logs.
        public var installation: String
        /// Whether the installation is registered on this server.
        public var isRegistered: Bool
        /// The version that it gets; nil if it gets none.
        public var version: Int?
        /// What decides: `pin`, `experiment`, `release`, or `nothing` if it gets no version.
        public var reason: String
        /// The pin that decides.
        public var pin: PinBodies.Pin?
        /// The experiment that decides, and the device's variant; also the experiment of a pinned variant.
        public var experiment: String?
        /// The variant of `experiment`.
        public var variant: String?
        /// Whether the device has any pin of the project. Experiments do not count it.
        public var isPinned: Bool
        /// The running experiments that vary the model, in order of their names; nil if there is none, or if a pin decides.
        public var experiments: [ExperimentStep]?
        /// If a release decides: that one and the newer ones, newest first. If nothing does: all active releases.
        public var releases: [Step]?
        /// The facts about the device.
        public var facts: Facts

        package init(
            model: String, installation: String, isRegistered: Bool, version: Int?, reason: String, isPinned: Bool,
            facts: Facts
        ) {
            self.model = model
            self.installation = installation
            self.isRegistered = isRegistered
            self.version = version
            self.reason = reason
            self.isPinned = isPinned
            self.facts = facts
        }
    }
}
