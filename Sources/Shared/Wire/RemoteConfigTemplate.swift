/// A Remote Config template, as the management calls carry it.
package struct RemoteConfigTemplate: Codable, Sendable, Hashable {
    /// In order of priority: of those that hold, the first one that a parameter has a value for decides.
    package var conditions: [RemoteConfigCondition]?
    package var parameters: [String: RemoteConfigParameter]?
    /// By group name. Groups are for people; all keys share one space of names.
    package var parameterGroups: [String: RemoteConfigParameterGroup]?
    /// Of an input, only its description is read.
    package var version: RemoteConfigVersion?

    package init(
        conditions: [RemoteConfigCondition]? = nil, parameters: [String: RemoteConfigParameter]? = nil,
        parameterGroups: [String: RemoteConfigParameterGroup]? = nil, version: RemoteConfigVersion? = nil
    ) {
        self.conditions = conditions
        self.parameters = parameters
        self.parameterGroups = parameterGroups
        self.version = version
    }
}

package struct RemoteConfigCondition: Codable, Sendable, Hashable {
    package var name: String
    /// In the condition language.
    package var expression: String
    /// `BLUE`, `BROWN`, …; for consoles.
    package var tagColor: String?

    package init(name: String, expression: String, tagColor: String? = nil) {
        self.name = name
        self.expression = expression
        self.tagColor = tagColor
    }
}

package struct RemoteConfigParameter: Codable, Sendable, Hashable {
    package var defaultValue: RemoteConfigParameterValue?
    /// By condition name.
    package var conditionalValues: [String: RemoteConfigParameterValue]?
    package var description: String?
    /// `STRING`, `BOOLEAN`, `NUMBER` or `JSON`; values are texts whatever it is.
    package var valueType: String?

    package init(
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

package struct RemoteConfigParameterGroup: Codable, Sendable, Hashable {
    package var description: String?
    package var parameters: [String: RemoteConfigParameter]?

    package init(description: String? = nil, parameters: [String: RemoteConfigParameter]? = nil) {
        self.description = description
        self.parameters = parameters
    }
}

/// One version of a template: who made it, when and how. All of it is the server's, but for the description.
package struct RemoteConfigVersion: Codable, Sendable, Hashable {
    package struct User: Codable, Sendable, Hashable {
        package var name: String?
        package var email: String?
        package var imageUrl: String?

        package init(name: String? = nil, email: String? = nil, imageUrl: String? = nil) {
            self.name = name
            self.email = email
            self.imageUrl = imageUrl
        }
    }

    /// A number as text.
    package var versionNumber: String?
    /// RFC 3339.
    package var updateTime: String?
    package var updateUser: User?
    package var description: String?
    /// `CONSOLE`, `REST_API` or `ADMIN_SDK_NODE`.
    package var updateOrigin: String?
    /// `INCREMENTAL_UPDATE`, `FORCED_UPDATE` or `ROLLBACK`.
    package var updateType: String?
    /// The version that a rollback brought back.
    package var rollbackSource: String?
    package var isLegacy: Bool?

    package init(description: String? = nil) { self.description = description }
}

/// What a parameter may be: exactly one of these.
package enum RemoteConfigParameterValue: Sendable, Hashable {
    case text(String)
    /// The device's own default: the key is left out of what it gets.
    case inAppDefault
    case rollout(RemoteConfigRollout)
    case experiment(RemoteConfigExperimentValue)
    /// Kept and given back; Hearth has no models of users that could choose.
    case personalization(id: String)
}

/// A value for a part of the installations, by chance; the others get what they would get without it.
package struct RemoteConfigRollout: Codable, Sendable, Hashable {
    /// Millionths of a percent, from the start, 0 if it is missing, until the end.
    package struct MicroPercentRange: Codable, Sendable, Hashable {
        package var microPercentStart: Int64?
        package var microPercentEnd: Int64?

        package init(microPercentStart: Int64? = nil, microPercentEnd: Int64? = nil) {
            self.microPercentStart = microPercentStart
            self.microPercentEnd = microPercentEnd
        }
    }

    package var rolloutId: String
    package var value: String
    /// 0 to 100.
    package var percent: Double?
    /// Which part of the installations, in the order that chance draws; the first `percent` where it is missing.
    package var microPercentRange: MicroPercentRange?

    package init(
        rolloutId: String, value: String, percent: Double? = nil, microPercentRange: MicroPercentRange? = nil
    ) {
        self.rolloutId = rolloutId
        self.value = value
        self.percent = percent
        self.microPercentRange = microPercentRange
    }
}

/// The values of an experiment's variants.
package struct RemoteConfigExperimentValue: Codable, Sendable, Hashable {
    package struct Variant: Codable, Sendable, Hashable {
        package var variantId: String
        package var value: String?
        /// This variant changes nothing.
        package var noChange: Bool?

        package init(variantId: String, value: String? = nil, noChange: Bool? = nil) {
            self.variantId = variantId
            self.value = value
            self.noChange = noChange
        }
    }

    package var experimentId: String
    package var variantValue: [Variant]
    /// 0 to 100.
    package var exposurePercent: Double?

    package init(experimentId: String, variantValue: [Variant], exposurePercent: Double? = nil) {
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

    package init(from decoder: any Decoder) throws {
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

    package func encode(to encoder: any Encoder) throws {
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
