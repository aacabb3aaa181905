/// The answer to a device's fetch.
package struct RemoteConfigFetchResponse: Codable, Sendable, Hashable {
    package enum State: String, Codable, Sendable, Hashable {
        case update = "UPDATE"
        case noChange = "NO_CHANGE"
        case noTemplate = "NO_TEMPLATE"
        case emptyConfig = "EMPTY_CONFIG"
    }

    package struct RolloutMetadata: Codable, Sendable, Hashable {
        package var rolloutId: String
        package var variantId: String
        package var affectedParameterKeys: [String]

        package init(rolloutId: String, variantId: String, affectedParameterKeys: [String]) {
            self.rolloutId = rolloutId
            self.variantId = variantId
            self.affectedParameterKeys = affectedParameterKeys
        }
    }

    /// nil when nothing changed.
    package var entries: [String: String]?
    package var state: State
    /// A number as text.
    package var templateVersion: String
    /// Present even when nothing changed: clients take a missing list for an empty one.
    package var experimentDescriptions: [RemoteConfigExperiment]?
    package var rolloutMetadata: [RolloutMetadata]?

    package init(
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

/// An experiment in which the device takes part. The values of its variant are among the entries.
package struct RemoteConfigExperiment: Codable, Sendable, Hashable {
    package var experimentId: String
    package var variantId: String
    /// RFC 3339 with exactly three fraction digits, which one of the clients requires.
    package var experimentStartTime: String
    /// Texts, which another client requires.
    package var triggerTimeoutMillis: String
    package var timeToLiveMillis: String
    /// Empty for an experiment that is active immediately.
    package var triggerEvent: String?
    package var affectedParameterKeys: [String]?

    /// Half a year in milliseconds, as in Firebase.
    package static let lifetimeMillis = "15552000000"

    package init(
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
