/// What a parameter may be: exactly one of these.
public enum ConfigValue: Sendable, Hashable {
    case text(String)
    /// The device's own default: the key is left out of what it gets.
    case inAppDefault
    case rollout(ConfigRollout)
    case experiment(ConfigExperimentValue)
    /// Kept and given back; Hearth has no models of users that could choose.
    case personalization(id: String)
}

/// A value for a part of the installations, by chance; the others get what they would get without it.
public struct ConfigRollout: Codable, Sendable, Hashable {
    /// Millionths of a percent, from the start, 0 if it is missing, until the end.
    public struct MicroPercentRange: Codable, Sendable, Hashable {
        public var microPercentStart: Int64?
        public var microPercentEnd: Int64?

        public init(microPercentStart: Int64? = nil, microPercentEnd: Int64? = nil) {
            self.microPercentStart = microPercentStart
            self.microPercentEnd = microPercentEnd
        }
    }

    public var rolloutId: String
    public var value: String
    /// 0 to 100.
    public var percent: Double?
    /// Which part of the installations, in the order that chance draws; the first `percent` where it is missing.
    public var microPercentRange: MicroPercentRange?

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
public struct ConfigExperimentValue: Codable, Sendable, Hashable {
    public struct Variant: Codable, Sendable, Hashable {
        public var variantId: String
        public var value: String?
        /// This variant changes nothing.
        public var noChange: Bool?

        public init(variantId: String, value: String? = nil, noChange: Bool? = nil) {
            self.variantId = variantId
            self.value = value
            self.noChange = noChange
        }
    }

    public var experimentId: String
    public var variantValue: [Variant]
    /// 0 to 100.
    public var exposurePercent: Double?

    public init(experimentId: String, variantValue: [Variant], exposurePercent: Double? = nil) {
        self.experimentId = experimentId
        self.variantValue = variantValue
        self.exposurePercent = exposurePercent
    }
}

extension ConfigValue: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case value, useInAppDefault, personalizationValue, rolloutValue, experimentValue
    }

    private struct Personalization: Codable {
        var personalizationId: String
    }

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
        case .rolloutValue: self = .rollout(try values.decode(ConfigRollout.self, forKey: key))
        case .experimentValue: self = .experiment(try values.decode(ConfigExperimentValue.self, forKey: key))
        }
    }

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
