/// A Remote Config template, as the management calls carry it.
public struct RemoteConfigTemplate: Codable, Sendable, Hashable {
    /// In order of priority: of those that hold, the first one that a parameter has a value for decides.
    public var conditions: [RemoteConfigCondition]?
    /// By key, those of no group.
    public var parameters: [String: RemoteConfigParameter]?
    /// By group name. Groups are for people; all keys share one space of names.
    public var parameterGroups: [String: RemoteConfigParameterGroup]?
    /// Of an input, only its description is read.
    public var version: RemoteConfigVersion?

    /// One with these values.
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
    /// Unique in the template.
    public var name: String
    /// In the condition language.
    public var expression: String
    /// `BLUE`, `BROWN`, …; for consoles.
    public var tagColor: String?

    /// One with these values.
    public init(name: String, expression: String, tagColor: String? = nil) {
        self.name = name
        self.expression = expression
        self.tagColor = tagColor
    }
}

/// A parameter that devices fetch.
public struct RemoteConfigParameter: Codable, Sendable, Hashable {
    /// Where no condition decides.
    public var defaultValue: RemoteConfigParameterValue?
    /// By condition name.
    public var conditionalValues: [String: RemoteConfigParameterValue]?
    /// For people.
    public var description: String?
    /// `STRING`, `BOOLEAN`, `NUMBER` or `JSON`; values are texts whatever it is.
    public var valueType: String?

    /// One with these values.
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

/// Parameters that people look at together.
public struct RemoteConfigParameterGroup: Codable, Sendable, Hashable {
    /// For people.
    public var description: String?
    /// By key.
    public var parameters: [String: RemoteConfigParameter]?

    /// One with these values.
    public init(description: String? = nil, parameters: [String: RemoteConfigParameter]? = nil) {
        self.description = description
        self.parameters = parameters
    }
}

/// One version of a template: who made it, when and how. All of it is the server's, but for the description.
public struct RemoteConfigVersion: Codable, Sendable, Hashable {
    /// Who made a version.
    public struct User: Codable, Sendable, Hashable {
        /// For people.
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
    /// Who made it.
    public var updateUser: User?
    /// What it is about, for people.
    public var description: String?
    /// `CONSOLE`, `REST_API` or `ADMIN_SDK_NODE`.
    public var updateOrigin: String?
    /// `INCREMENTAL_UPDATE`, `FORCED_UPDATE` or `ROLLBACK`.
    public var updateType: String?
    /// The version that a rollback brought back.
    public var rollbackSource: String?
    /// Kept for clients that expect it.
    public var isLegacy: Bool?

    /// One for a template that is to be put.
    public init(description: String? = nil) { self.description = description }
}

/// What a parameter may be: exactly one of these.
public enum RemoteConfigParameterValue: Sendable, Hashable {
    /// This value, whatever its type.
    case text(String)
    /// The device's own default: the key is left out of what it gets.
    case inAppDefault
    /// A value for a share of the installations.
    case rollout(RemoteConfigRollout)
    /// The values of the variants of an experiment.
    case experiment(RemoteConfigExperimentValue)
    /// Kept and given back; Hearth has no models of users that could choose.
    case personalization(id: String)
}

/// A value for a part of the installations, by chance; the others get what they would get without it.
public struct RemoteConfigRollout: Codable, Sendable, Hashable {
    /// Millionths of a percent, from the start, 0 if it is missing, until the end.
    public struct MicroPercentRange: Codable, Sendable, Hashable {
        /// 0 if it is missing.
        public var microPercentStart: Int64?
        /// 100,000,000 for the end of all.
        public var microPercentEnd: Int64?

        /// One with these values.
        public init(microPercentStart: Int64? = nil, microPercentEnd: Int64? = nil) {
            self.microPercentStart = microPercentStart
            self.microPercentEnd = microPercentEnd
        }
    }

    /// The rollout's id.
    public var rolloutId: String
    /// What the installations get.
    public var value: String
    /// 0 to 100.
    public var percent: Double?
    /// Which part of the installations, in the order that chance draws; the first `percent` where it is missing.
    public var microPercentRange: MicroPercentRange?

    /// One with these values.
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
    /// What a variant gives.
    public struct Variant: Codable, Sendable, Hashable {
        /// The variant's id.
        public var variantId: String
        /// Its value; nil where it changes nothing.
        public var value: String?
        /// This variant changes nothing.
        public var noChange: Bool?

        /// One with these values.
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

    /// One with these values.
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

    /// Reads it.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let present = CodingKeys.allCases.filter(values.contains)
        func malformed(_ text: String) -> DecodingError {
            .dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: text))
        }
        guard let key = present.first, present.count == 1 else {
            throw malformed(
                "A value has exactly one of \(CodingKeys.allCases.map(\.rawValue).joined(separator: ", ")).")
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

    /// Writes it.
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
