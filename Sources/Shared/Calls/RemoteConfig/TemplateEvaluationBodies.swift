public import HearthWire

/// Bodies of `POST …/remoteConfig:evaluate`, below `/hearth/v1/projects/{project}` and `…/namespaces/{namespace}`: what a
/// device would get of a template, and why. Times are RFC 3339, in UTC.
public enum TemplateEvaluationBodies {
    /// What to evaluate.
    public struct Request: Codable, Sendable, Hashable, KeyedBody {
        /// A template that need not be published; omitted for a version of the server.
        public var template: RemoteConfigTemplate?
        /// The number of a version; omitted for the active one. Not together with `template`.
        public var version: Int64?
        /// When the device asks; omitted for now.
        public var time: String?
        /// What the device says about itself; omitted for nothing.
        public var device: Device?

        package enum CodingKeys: String, CodingKey, CaseIterable { case template, version, time, device }
        package static var parts: [String: any KeyedBody.Type] { ["device": Device.self] }

        /// Asks for the active version and a device that says nothing.
        public init() {}
    }

    /// What a device says about itself: all that conditions can ask. What is omitted, the device does not say.
    public struct Device: Codable, Sendable, Hashable, KeyedBody {
        /// The id of the installation. Shares of the installations and experiments need it.
        public var installationId: String?
        /// The app's id; omitted for that of the installation, if the server knows it.
        public var appId: String?
        /// At most 100 characters.
        public var appVersion: String?
        /// At most 100 characters.
        public var appBuild: String?
        /// `linux`, `ios`, `android`, …; omitted for the system that the app's id names.
        public var os: String?
        /// A BCP 47 tag, at most 35 characters.
        public var language: String?
        /// An ISO 3166-1 alpha-2 code.
        public var country: String?
        /// The tags that the app sets, at most 64.
        public var tags: [String]?
        /// The user properties that Firebase's clients send; numbers as text.
        public var userProperties: [String: String]?
        /// The signals that the app sets, at most 100; numbers as text.
        public var customSignals: [String: String]?
        /// When the app was opened for the first time.
        public var firstOpenTime: String?

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case installationId, appId, appVersion, appBuild, os, language, country, tags, userProperties,
                customSignals, firstOpenTime
        }

        /// Says nothing.
        public init() {}
    }

    /// What the device would get, and why.
    public struct Result: Codable, Sendable, Hashable {
        /// `firebase` or `firebase-server`.
        public var namespace: String
        /// The number of the version; 0 if there is none yet; omitted for the template of the request.
        public var version: Int64?
        /// When the device asks.
        public var time: String
        /// The installation's name in logs; omitted without an id.
        public var installation: String?
        /// Whether the installation is registered on this server.
        public var isRegistered: Bool
        /// Whether the device has any pin of the project.
        public var isPinned: Bool
        /// The device as conditions see it, without its id.
        public var device: Device
        /// In the order of their keys.
        public var parameters: [Parameter]
        /// In order of priority.
        public var conditions: [Condition]
        /// The running experiments, in the order of their names.
        public var experiments: [Experiment]

        package init(
            namespace: String, version: Int64?, time: String, installation: String?, isRegistered: Bool, isPinned: Bool,
            device: Device, parameters: [Parameter], conditions: [Condition], experiments: [Experiment]
        ) {
            self.namespace = namespace
            self.version = version
            self.time = time
            self.installation = installation
            self.isRegistered = isRegistered
            self.isPinned = isPinned
            self.device = device
            self.parameters = parameters
            self.conditions = conditions
            self.experiments = experiments
        }
    }

    /// A parameter's value for the device.
    public struct Parameter: Codable, Sendable, Hashable {
        /// A condition that holds, and whose value does not apply to the device: the next value decides.
        public struct Skipped: Codable, Sendable, Hashable {
            /// The condition's name.
            public var condition: String
            /// `rollout` if the device is not in the rollout's share; `experiment` if it has no variant of the experiment
            /// that changes the parameter; `personalization`, which applies to no device.
            public var because: String
            /// The id of the rollout, experiment or personalization.
            public var id: String?

            package init(condition: String, because: String, id: String?) {
                self.condition = condition
                self.because = because
                self.id = id
            }
        }

        /// The parameter's key.
        public var key: String
        /// The value; omitted for the app's own default.
        public var value: String?
        /// Where the value is from: `condition`, `default` or `experiment`. A running experiment comes before the template.
        public var source: String
        /// True if the server sends no value, so that the app uses its own default; otherwise omitted.
        public var isInAppDefault: Bool?
        /// The name of the condition that decides.
        public var condition: String?
        /// The rollout that the value is of.
        public var rollout: String?
        /// The experiment that the value is of.
        public var experiment: String?
        /// The device's variant of the experiment.
        public var variant: String?
        /// The conditions that come before the one that decides.
        public var skipped: [Skipped]?
        /// The names of conditions that are not decided, and come before the one that decides: if they hold, the value may be
        /// another one.
        public var undecided: [String]?

        package init(key: String, value: String?, source: String) {
            self.key = key
            self.value = value
            self.source = source
            isInAppDefault = value == nil ? true : nil
        }
    }

    /// A condition of the template.
    public struct Condition: Codable, Sendable, Hashable {
        /// The condition's name.
        public var name: String
        /// The condition as it was written.
        public var expression: String?
        /// `true`, `false` or `undecided`. To a device, an undecided condition is false.
        public var result: String
        /// Why the condition is not true. Of a false one: `term` if a term is false, `notANumber` or `notAVersion` if the device
        /// sends something else than the term asks for, `unsupported` if no device sends a signal that it asks for. Of an
        /// undecided one: `missing` if the device does not say what it asks for, `steps` if the evaluation of the template takes
        /// too many steps, `tooLarge` if it is above the limits of conditions.
        public var because: String?
        /// Where the first false term begins in the expression, counted from 1.
        public var column: Int?
        /// The signals that are missing or unsupported, or whose value is no number or version, as conditions name them.
        public var signals: [String]?

        package init(name: String, expression: String?, result: String, because: String? = nil) {
            self.name = name
            self.expression = expression
            self.result = result
            self.because = because
        }
    }

    /// A running experiment of the project.
    public struct Experiment: Codable, Sendable, Hashable {
        /// The experiment's name.
        public var experiment: String
        /// Whether the device takes part.
        public var isIncluded: Bool
        /// The device's variant.
        public var variant: String?
        /// Why the device does not take part: `installation` if the request has no id; `share`; `audience`; `otherExperiment` if
        /// it is in the share of another experiment that may share no devices with this one; `pinnedVariant` if it has a
        /// pinned variant of such an experiment.
        public var because: String?
        /// The name of the other experiment.
        public var otherExperiment: String?
        /// The condition of the audience; omitted for all devices.
        public var audience: String?
        /// The keys of the parameters that it varies.
        public var parameters: [String]?

        package init(experiment: String, isIncluded: Bool) {
            self.experiment = experiment
            self.isIncluded = isIncluded
        }
    }
}
