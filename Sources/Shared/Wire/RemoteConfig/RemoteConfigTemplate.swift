/// A Remote Config template, in requests and answers of the management calls.
public struct RemoteConfigTemplate: Codable, Sendable, Hashable {
    /// The conditions in order of priority: a parameter has the value of the first condition that is true and for which
    /// it has a value.
    public var conditions: [RemoteConfigCondition]?
    /// The parameters without a group, by key.
    public var parameters: [String: RemoteConfigParameter]?
    /// The groups by name. Groups are for readers; keys are unique across all groups.
    public var parameterGroups: [String: RemoteConfigParameterGroup]?
    /// The template's version. Of a request, the server reads only the description.
    public var version: RemoteConfigVersion?

    /// Makes one with these values.
    public init(
        conditions: [RemoteConfigCondition]? = nil, parameters: [String: RemoteConfigParameter]? = nil,
        parameterGroups: [String: RemoteConfigParameterGroup]? = nil, version: RemoteConfigVersion? = nil
    ) {
        self.conditions = conditions
        self.parameters = parameters
        self.parameterGroups = parameterGroups
        self.version = version
    }
}

/// A condition under which parameters have other values.
public struct RemoteConfigCondition: Codable, Sendable, Hashable {
    /// The condition's name, unique in the template.
    public var name: String
    /// The expression in the condition language.
    public var expression: String
    /// `BLUE`, `BROWN`, …; for consoles.
    public var tagColor: String?

    /// Makes one with these values.
    public init(name: String, expression: String, tagColor: String? = nil) {
        self.name = name
        self.expression = expression
        self.tagColor = tagColor
    }
}

/// A parameter that devices fetch.
public struct RemoteConfigParameter: Codable, Sendable, Hashable {
    /// The value when no condition decides.
    public var defaultValue: RemoteConfigParameterValue?
    /// The values by condition name.
    public var conditionalValues: [String: RemoteConfigParameterValue]?
    /// A text for readers.
    public var description: String?
    /// `STRING`, `BOOLEAN`, `NUMBER` or `JSON`; values are texts in every case.
    public var valueType: String?

    /// Makes one with these values.
    public init(
        defaultValue: RemoteConfigParameterValue? = nil, conditionalValues: [String: RemoteConfigParameterValue]? = nil,
        description: String? = nil,
        valueType: String? = nil
    ) {
        self.defaultValue = defaultValue
        self.conditionalValues = conditionalValues
        self.description = description
        self.valueType = valueType
    }
}

/// A group of parameters.
public struct RemoteConfigParameterGroup: Codable, Sendable, Hashable {
    /// A text for readers.
    public var description: String?
    /// The parameters by key.
    public var parameters: [String: RemoteConfigParameter]?

    /// Makes one with these values.
    public init(description: String? = nil, parameters: [String: RemoteConfigParameter]? = nil) {
        self.description = description
        self.parameters = parameters
    }
}

/// One version of a template: who created it, when and how. The server sets everything except the description.
public struct RemoteConfigVersion: Codable, Sendable, Hashable {
    /// The creator of a version.
    public struct User: Codable, Sendable, Hashable {
        /// A text for readers.
        public var name: String?
        /// A service account's email.
        public var email: String?
        /// For consoles.
        public var imageUrl: String?

        package init(name: String? = nil, email: String? = nil, imageUrl: String? = nil) {
            self.name = name
            self.email = email
            self.imageUrl = imageUrl
        }
    }

    /// A number as text.
    public var versionNumber: String?
    /// RFC 3339.
    public var updateTime: String?
    /// The creator of the version.
    public var updateUser: User?
    /// What the version is about, for readers.
    public var description: String?
    /// `CONSOLE`, `REST_API` or `ADMIN_SDK_NODE`.
    public var updateOrigin: String?
    /// `INCREMENTAL_UPDATE`, `FORCED_UPDATE` or `ROLLBACK`.
    public var updateType: String?
    /// The version that a rollback restored.
    public var rollbackSource: String?
    /// Kept for clients that expect it.
    public var isLegacy: Bool?

    /// Makes the version of a template that is to be sent to the server.
    public init(description: String? = nil) { self.description = description }
}

/// The value of a parameter: exactly one of these.
public enum RemoteConfigParameterValue: Sendable, Hashable {
    /// This value, of any type.
    case text(String)
    /// The device's own default: the answer to the device omits the key.
    case inAppDefault
    /// A value for a share of the installations.
    case rollout(RemoteConfigRollout)
    /// The values of the variants of an experiment.
    case experiment(RemoteConfigExperimentValue)
    /// Stored and returned to clients only; Hearth has no models of users that could choose a value.
    case personalization(id: String)
}

/// A value for a random share of the installations; the others get the value that they would get without the rollout.
public struct RemoteConfigRollout: Codable, Sendable, Hashable {
    /// A range in millionths of a percent, from the start up to the end.
    public struct MicroPercentRange: Codable, Sendable, Hashable {
        /// The start; nil for 0.
        public var microPercentStart: Int64?
        /// The end; 100,000,000 for all installations.
        public var microPercentEnd: Int64?

        /// Makes one with these values.
        public init(microPercentStart: Int64? = nil, microPercentEnd: Int64? = nil) {
            self.microPercentStart = microPercentStart
            self.microPercentEnd = microPercentEnd
        }
    }

    /// The rollout's id.
    public var rolloutId: String
    /// The value that the installations get.
    public var value: String
    /// 0 to 100.
    public var percent: Double?
    /// The range of the installations in their random order; nil for the first `percent`.
    public var microPercentRange: MicroPercentRange?

    /// Makes one with these values.
    public init(
        rolloutId: String, value: String, percent: Double? = nil, microPercentRange: MicroPercentRange? = nil
    ) {
        self.rolloutId = rolloutId
        self.value = value
        self.percent = percent
        self.microPercentRange = microPercentRange
    }
}

/// The values of an experiment's variants.
public struct RemoteConfigExperimentValue: Codable, Sendable, Hashable {
    /// The value of a variant.
    public struct Variant: Codable, Sendable, Hashable {
        /// The variant's id.
        public var variantId: String
        /// The variant's value; nil when it changes nothing.
        public var value: String?
        /// True when the variant changes nothing.
        public var noChange: Bool?

        /// Makes one with these values.
        public init(variantId: String, value: String? = nil, noChange: Bool? = nil) {
            self.variantId = variantId
            self.value = value
            self.noChange = noChange
        }
    }

    /// The experiment's id.
    public var experimentId: String
    /// A value for each variant.
    public var variantValue: [Variant]
    /// 0 to 100.
    public var exposurePercent: Double?

    /// Makes one with these values.
    public init(experimentId: String, variantValue: [Variant], exposurePercent: Double? = nil) {
        self.experimentId = experimentId
        self.variantValue = variantValue
        self.exposurePercent = exposurePercent
    }
}

extension RemoteConfigParameterValue: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case value, useInAppDefault, personalizationValue, rolloutValue, experimentValue
    }

    private struct Personalization: Codable {
        var personalizationId: String
    }

    /// Decodes the value.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let present = CodingKeys.allCases.filter(values.contains)
        func malformed(_ text: String) -> DecodingError {
            .dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: text))
        }
        guard let key = present.first, present.count == 1 else {
            throw malformed(
                "A value must have exactly one of \(CodingKeys.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        switch key {
        case .value: self = .text(try values.decode(String.self, forKey: key))
        case .useInAppDefault:
            guard try values.decode(Bool.self, forKey: key) else {
                throw malformed("INVALID_IN_APP_DEFAULT_VALUE: useInAppDefault can only be true.")
            }
            self = .inAppDefault
        case .personalizationValue:
            self = .personalization(id: try values.decode(Personalization.self, forKey: key).personalizationId)
        case .rolloutValue: self = .rollout(try values.decode(RemoteConfigRollout.self, forKey: key))
        case .experimentValue: self = .experiment(try values.decode(RemoteConfigExperimentValue.self, forKey: key))
        }
    }

    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .text(let text): try values.encode(text, forKey: .value)
        case .inAppDefault: try values.encode(true, forKey: .useInAppDefault)
        case .personalization(let id):
            try values.encode(Personalization(personalizationId: id), forKey: .personalizationValue)
        case .rollout(let rollout): try values.encode(rollout, forKey: .rolloutValue)
        case .experiment(let experiment): try values.encode(experiment, forKey: .experimentValue)
        }
    }
}
