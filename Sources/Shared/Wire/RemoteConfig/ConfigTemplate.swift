/// A Remote Config template, as the management calls carry it.
public struct ConfigTemplate: Codable, Sendable, Hashable {
    /// In order of priority: of those that hold, the first one that a parameter has a value for decides.
    public var conditions: [ConfigCondition]?
    public var parameters: [String: ConfigParameter]?
    /// By group name. Groups are for people; all keys share one space of names.
    public var parameterGroups: [String: ConfigParameterGroup]?
    /// Of an input, only its description is read.
    public var version: ConfigVersion?

    public init(
        conditions: [ConfigCondition]? = nil, parameters: [String: ConfigParameter]? = nil,
        parameterGroups: [String: ConfigParameterGroup]? = nil, version: ConfigVersion? = nil
    ) {
        self.conditions = conditions
        self.parameters = parameters
        self.parameterGroups = parameterGroups
        self.version = version
    }
}

public struct ConfigCondition: Codable, Sendable, Hashable {
    public var name: String
    /// In the condition language.
    public var expression: String
    /// `BLUE`, `BROWN`, …; for consoles.
    public var tagColor: String?

    public init(name: String, expression: String, tagColor: String? = nil) {
        self.name = name
        self.expression = expression
        self.tagColor = tagColor
    }
}

public struct ConfigParameter: Codable, Sendable, Hashable {
    public var defaultValue: ConfigValue?
    /// By condition name.
    public var conditionalValues: [String: ConfigValue]?
    public var description: String?
    /// `STRING`, `BOOLEAN`, `NUMBER` or `JSON`; values are texts whatever it is.
    public var valueType: String?

    public init(
        defaultValue: ConfigValue? = nil, conditionalValues: [String: ConfigValue]? = nil, description: String? = nil,
        valueType: String? = nil
    ) {
        self.defaultValue = defaultValue
        self.conditionalValues = conditionalValues
        self.description = description
        self.valueType = valueType
    }
}

public struct ConfigParameterGroup: Codable, Sendable, Hashable {
    public var description: String?
    public var parameters: [String: ConfigParameter]?

    public init(description: String? = nil, parameters: [String: ConfigParameter]? = nil) {
        self.description = description
        self.parameters = parameters
    }
}

/// One version of a template: who made it, when and how. All of it is the server's, but for the description.
public struct ConfigVersion: Codable, Sendable, Hashable {
    public struct User: Codable, Sendable, Hashable {
        public var name: String?
        public var email: String?
        public var imageUrl: String?

        public init(name: String? = nil, email: String? = nil, imageUrl: String? = nil) {
            self.name = name
            self.email = email
            self.imageUrl = imageUrl
        }
    }

    /// A number as text.
    public var versionNumber: String?
    /// RFC 3339.
    public var updateTime: String?
    public var updateUser: User?
    public var description: String?
    /// `CONSOLE`, `REST_API` or `ADMIN_SDK_NODE`.
    public var updateOrigin: String?
    /// `INCREMENTAL_UPDATE`, `FORCED_UPDATE` or `ROLLBACK`.
    public var updateType: String?
    /// The version that a rollback brought back.
    public var rollbackSource: String?
    public var isLegacy: Bool?

    public init(description: String? = nil) { self.description = description }
}
