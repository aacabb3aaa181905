/// What a device is answered when it asks for its configuration.
public struct RemoteConfigFetchResponse: Codable, Sendable, Hashable {
    public enum State: String, Codable, Sendable, Hashable {
        case update = "UPDATE"
        case noChange = "NO_CHANGE"
        case noTemplate = "NO_TEMPLATE"
        case emptyConfig = "EMPTY_CONFIG"
    }

    public struct RolloutMetadata: Codable, Sendable, Hashable {
        public var rolloutId: String
        public var variantId: String
        public var affectedParameterKeys: [String]

        public init(rolloutId: String, variantId: String, affectedParameterKeys: [String]) {
            self.rolloutId = rolloutId
            self.variantId = variantId
            self.affectedParameterKeys = affectedParameterKeys
        }
    }

    /// Nil where nothing changed.
    public var entries: [String: String]?
    public var state: State
    /// A number as text.
    public var templateVersion: String
    /// Also where nothing changed: clients take a list that is missing for an empty one.
    public var experimentDescriptions: [RemoteConfigExperiment]?
    public var rolloutMetadata: [RolloutMetadata]?

    public init(
        entries: [String: String]?, state: State, templateVersion: String,
        experimentDescriptions: [RemoteConfigExperiment]? = nil, rolloutMetadata: [RolloutMetadata]? = nil
    ) {
        self.entries = entries
        self.state = state
        self.templateVersion = templateVersion
        self.experimentDescriptions = experimentDescriptions
        self.rolloutMetadata = rolloutMetadata
    }
}

/// An experiment that the device takes part in. The values of its variant are among the entries.
public struct RemoteConfigExperiment: Codable, Sendable, Hashable {
    public var experimentId: String
    public var variantId: String
    /// RFC 3339 with exactly three digits of a second's fraction, which one of the clients insists on.
    public var experimentStartTime: String
    /// Texts, which another one insists on.
    public var triggerTimeoutMillis: String
    public var timeToLiveMillis: String
    /// Empty: active at once.
    public var triggerEvent: String?
    public var affectedParameterKeys: [String]?

    /// Half a year, as Firebase has it.
    public static let lifetimeMillis = "15552000000"

    public init(
        experimentId: String, variantId: String, experimentStartTime: String, affectedParameterKeys: [String]? = nil
    ) {
        self.experimentId = experimentId
        self.variantId = variantId
        self.experimentStartTime = experimentStartTime
        triggerTimeoutMillis = Self.lifetimeMillis
        timeToLiveMillis = Self.lifetimeMillis
        self.affectedParameterKeys = affectedParameterKeys
    }
}
