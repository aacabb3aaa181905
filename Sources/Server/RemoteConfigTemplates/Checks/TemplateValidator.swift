package import HearthTargeting
package import HearthWire

/// Decides which templates are valid.
package struct TemplateValidator {
    private let template: RemoteConfigTemplate
    private let namespace: TemplateNamespace
    private var conditionNames: Set<String> = []
    private var keys: Set<String> = []
    private var valueLength = 0
    /// The key of the parameter whose values are checked.
    private var key = ""
    private var outdated: [CheckedTemplate.OutdatedValue] = []
    private var expressions: ConditionReader

    /// - Parameters:
    ///   - known: conditions that were parsed before, by their text; they are not parsed again.
    ///   - stored: the template before the change. Its values of today's forbidden forms stay valid while their parameters do
    ///     not change.
    /// - Returns: the conditions, by their text.
    /// - Throws: the first error.
    @discardableResult
    package static func check(
        _ template: RemoteConfigTemplate, namespace: TemplateNamespace, known: [String: Condition] = [:],
        stored: RemoteConfigTemplate? = nil
    ) throws(TemplateError) -> [String: Condition] {
        let checked = try examine(template, namespace: namespace, known: known)
        try checked.refuseChanges(of: template, since: stored)
        return checked.conditions
    }

    /// Checks a template for a caller that decides about the values that earlier versions of the server took.
    ///
    /// - Throws: the first error.
    package static func examine(
        _ template: RemoteConfigTemplate, namespace: TemplateNamespace, known: [String: Condition] = [:]
    ) throws(TemplateError) -> CheckedTemplate {
        var form = TemplateValidator(
            template: template, namespace: namespace, expressions: ConditionReader(known: known))
        // Cheap checks come before expensive parsing.
        try form.checkCounts()
        try form.checkConditions()
        try form.checkParameters()
        try form.checkValues()
        return CheckedTemplate(conditions: form.expressions.conditions, outdated: form.outdated)
    }

    private init(template: RemoteConfigTemplate, namespace: TemplateNamespace, expressions: ConditionReader) {
        self.template = template
        self.namespace = namespace
        self.expressions = expressions
    }

    // MARK: Conditions

    private mutating func checkConditions() throws(TemplateError) {
        for (index, condition) in (template.conditions ?? []).enumerated() {
            let path = "conditions[\(index)]"
            guard Self.isConditionName(condition.name) else {
                throw TemplateError(
                    code: .invalidCondition, path: path,
                    message: "A condition's name must have 1 to 256 letters, digits, blanks and -_'!%. .")
            }
            guard conditionNames.insert(condition.name).inserted else {
                throw TemplateError(
                    code: .invalidCondition, path: path, message: "Another condition has the name '\(condition.name)'.",
                    condition: condition.name)
            }
            if let color = condition.tagColor, !Self.tagColors.contains(color) {
                throw TemplateError(
                    code: .invalidCondition, path: "\(path).tagColor", message: "There is no colour '\(color)'.",
                    condition: condition.name)
            }
            try checkExpression(condition, "\(path).expression")
        }
    }

    private mutating func checkExpression(_ condition: RemoteConfigCondition, _ path: String) throws(TemplateError) {
        do throws(ConditionSyntaxError) {
            let read = try expressions.read(condition.expression)
            if namespace == .client || ServerCondition(read) != nil { return }
        } catch {
            guard error.isTooLarge else {
                throw TemplateError(
                    code: .invalidCondition, path: path, message: "\(error)", condition: condition.name,
                    syntaxError: error)
            }
            throw TemplateError(
                code: .limitExceeded, path: path,
                message: "The condition '\(condition.name)', column \(error.column): \(error.message)",
                condition: condition.name, syntaxError: error)
        }
        throw TemplateError(
            code: .invalidCondition, path: path,
            message: "A template for servers may use only percent, app.customSignal, true and false.",
            condition: condition.name)
    }

    private static func isConditionName(_ name: String) -> Bool {
        (1...TemplateLimits.conditionNameLength).contains(name.utf8.count)
            && name.utf8.allSatisfy { isWordByte($0) || "- '!%.".utf8.contains($0) }
    }

    private static let tagColors: Set<String> = [
        "CONDITION_DISPLAY_COLOR_UNSPECIFIED", "BLUE", "BROWN", "CYAN", "DEEP_ORANGE", "GREEN", "INDIGO", "LIME",
        "ORANGE", "PINK", "PURPLE", "TEAL",
    ]

    // MARK: Parameters

    private mutating func checkParameters() throws(TemplateError) {
        try check(template.parameters ?? [:], in: "parameters")
        for (name, group) in (template.parameterGroups ?? [:]).sorted(by: { $0.key < $1.key }) {
            let path = "parameterGroups.\(name)"
            guard (1...256).contains(name.utf8.count) else {
                throw TemplateError(
                    code: .invalidKey, path: path, message: "A group's name must have 1 to 256 characters.")
            }
            try checkDescription(group.description, path)
            try check(group.parameters ?? [:], in: "\(path).parameters")
        }
    }

    private mutating func check(_ parameters: [String: RemoteConfigParameter], in path: String) throws(TemplateError) {
        for (key, parameter) in parameters.sorted(by: { $0.key < $1.key }) {
            let path = "\(path).\(key)"
            guard Self.isKey(key) else {
                throw TemplateError(
                    code: .invalidKey, path: path,
                    message:
                        "A key must have 1 to 256 letters, digits and underscores, and must not begin with a digit.")
            }
            guard keys.insert(key).inserted else {
                throw TemplateError(code: .duplicateKey, path: path, message: "Another parameter has the same key.")
            }
            try checkDescription(parameter.description, path)
            self.key = key
            try check(parameter, path)
        }
    }

    private mutating func check(_ parameter: RemoteConfigParameter, _ path: String) throws(TemplateError) {
        let name = parameter.valueType ?? ParameterType.string.rawValue
        guard let type = ParameterType(rawValue: name) else {
            throw TemplateError(
                code: .valueTypeMismatch, path: "\(path).valueType",
                message: "The types are STRING, BOOLEAN, NUMBER and JSON; '\(name)' is not one of them.")
        }
        if let value = parameter.defaultValue {
            switch value {
            case .text, .inAppDefault: break
            case .rollout, .experiment, .personalization:
                throw TemplateError(
                    code: .invalidDefault, path: "\(path).defaultValue",
                    message: "A default is a text or the app's own; what depends on the device needs a condition.")
            }
            try check(value, type, "\(path).defaultValue")
        }
        for (name, value) in (parameter.conditionalValues ?? [:]).sorted(by: { $0.key < $1.key }) {
            let path = "\(path).conditionalValues.\(name)"
            guard conditionNames.contains(name) else {
                throw TemplateError(
                    code: .unknownCondition, path: path, message: "The template has no condition '\(name)'.")
            }
            try check(value, type, path)
        }
    }

    private mutating func check(_ value: RemoteConfigParameterValue, _ type: ParameterType, _ path: String)
        throws(TemplateError)
    {
        switch value {
        case .inAppDefault: return
        case .text(let text): try check(text, type, path)
        case .rollout, .experiment, .personalization:
            guard namespace == .client else {
                throw TemplateError(
                    code: .unsupportedValue, path: path, message: "Templates for servers have texts only.")
            }
            if case .rollout(let rollout) = value {
                guard rollout.microPercents != nil else {
                    throw TemplateError(
                        code: .unsupportedValue, path: path,
                        message:
                            "A rollout's percent must be 0 to 100, and its microPercentRange within 0 to 100000000.")
                }
                try check(rollout.value, type, path)
            }
            if case .experiment(let experiment) = value {
                for variant in experiment.variantValue {
                    try check(variant.value ?? "", variant.value == nil ? .string : type, path)
                }
            }
        }
    }

    private mutating func check(_ text: String, _ type: ParameterType, _ path: String) throws(TemplateError) {
        valueLength += text.unicodeScalars.count
        guard let refusal = type.refusal(of: text) else { return }
        let error = TemplateError(code: .valueTypeMismatch, path: path, message: refusal.message)
        guard refusal.wasTaken else { throw error }
        outdated.append(CheckedTemplate.OutdatedValue(key: key, error: error))
    }

    static func isKey(_ key: String) -> Bool {
        guard let first = key.utf8.first, !(0x30...0x39).contains(first) else { return false }
        return key.utf8.count <= TemplateLimits.keyLength && key.utf8.allSatisfy(isWordByte)
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    // MARK: Sizes

    private func checkDescription(_ text: String?, _ path: String) throws(TemplateError) {
        guard (text ?? "").unicodeScalars.count <= TemplateLimits.descriptionLength else {
            throw TemplateError(
                code: .limitExceeded, path: "\(path).description",
                message: "A description may have at most \(TemplateLimits.descriptionLength) characters.")
        }
    }

    private func checkCounts() throws(TemplateError) {
        let groups = template.parameterGroups ?? [:]
        let conditions = template.conditions ?? []
        let counts = [
            ("conditions", conditions.count, TemplateLimits.conditions),
            (
                "parameters",
                groups.values.reduce(template.parameters?.count ?? 0) { $0 + ($1.parameters?.count ?? 0) },
                TemplateLimits.parameters
            ),
            ("parameterGroups", groups.count, TemplateLimits.groups),
        ]
        for (name, count, limit) in counts where count > limit {
            throw TemplateError(
                code: .limitExceeded, path: name, message: "There are \(count); at most \(limit) are allowed.")
        }
        var bytes = 0
        for condition in conditions {
            bytes += condition.expression.utf8.count
            guard bytes <= TemplateLimits.expressionBytes else {
                throw TemplateError(
                    code: .limitExceeded, path: "conditions",
                    message: """
                        The expressions up to the condition '\(condition.name)' have more than \
                        \(TemplateLimits.expressionBytes) bytes together. Write shorter lists; in place of a long list, let the app \
                        send a signal of its own.
                        """)
            }
        }
    }

    private func checkValues() throws(TemplateError) {
        guard valueLength <= TemplateLimits.valueLength else {
            throw TemplateError(
                code: .limitExceeded, path: "parameters",
                message:
                    "All values together have \(valueLength) characters; the limit is \(TemplateLimits.valueLength).")
        }
        guard (template.version?.description ?? "").unicodeScalars.count <= TemplateLimits.versionDescriptionLength
        else {
            throw TemplateError(
                code: .limitExceeded, path: "version.description",
                message:
                    "A version's description may have at most \(TemplateLimits.versionDescriptionLength) characters.")
        }
    }
}

/// The readers of a project's template.
package enum TemplateNamespace: String, Sendable, Hashable, CaseIterable {
    /// Devices: the server evaluates the template for them.
    case client = "firebase"
    /// Servers with an Admin SDK: they evaluate the template themselves.
    case server = "firebase-server"
}
