import HearthWire

/// What the form of a parameter says.
///
/// A field that was not changed leaves the value exactly as it is stored, and so does a field that the page did not show.
struct ParameterForm {
    /// What a value is: one of the choices of the form.
    enum Kind: String {
        case text
        case inAppDefault
        /// What the form cannot make: a rollout, an experiment, a personalization.
        case keep
        case remove

        init(_ value: RemoteConfigParameterValue?) {
            switch value {
            case .text: self = .text
            case nil, .inAppDefault: self = .inAppDefault
            case .rollout, .experiment, .personalization: self = .keep
            }
        }

        var title: String {
            switch self {
            case .text: "This value"
            case .inAppDefault: "The app’s own default"
            case .keep: "As it is"
            case .remove: "No value for this condition"
            }
        }
    }

    let key: String
    /// Nil for no group.
    let group: String?
    let parameter: RemoteConfigParameter

    static let types = [("STRING", "String"), ("BOOLEAN", "Boolean"), ("NUMBER", "Number"), ("JSON", "JSON")]

    /// - Parameters:
    ///   - present: the parameter before; nil for a new one.
    ///   - groups: the names of the template's groups.
    /// - Throws: `APIFailure` for what was typed and would be lost.
    init(
        _ fields: FormFields, present: (group: String?, parameter: RemoteConfigParameter)?, groups: [String]
    ) throws {
        key = fields["key"]
        group = Self.group(fields, groups)
        let old = present?.parameter
        var parameter = RemoteConfigParameter()
        parameter.defaultValue = try Self.value("default", fields, old?.defaultValue)
        let description = UserText.sent(fields.raw("description") ?? "", present: old?.description)
        parameter.description = description.isEmpty ? nil : description
        parameter.valueType = Self.type(fields["type"], old)
        parameter.conditionalValues = try Self.conditionalValues(fields, old)
        self.parameter = parameter
    }

    private static func group(_ fields: FormFields, _ groups: [String]) -> String? {
        if let new = fields.text("new-group") { return groups.first { UserText.roundTrip($0) == new } ?? new }
        guard let text = fields.raw("group"), !text.isEmpty else { return nil }
        let name = UserText.roundTrip(text)
        return groups.first { UserText.roundTrip($0) == name } ?? name
    }

    private static func type(_ text: String, _ old: RemoteConfigParameter?) -> String? {
        guard let old else { return text.isEmpty ? nil : text }
        return text == selectedType(old) ? old.valueType : text
    }

    static func selectedType(_ parameter: RemoteConfigParameter) -> String {
        let type = parameter.valueType ?? "STRING"
        return types.contains { $0.0 == type } ? type : "STRING"
    }

    /// - Parameter present: the value before, which stays if the form does not change it.
    private static func value(
        _ name: String, _ fields: FormFields, _ present: RemoteConfigParameterValue?
    ) throws -> RemoteConfigParameterValue? {
        let kind = Kind(rawValue: fields["\(name)-kind"])
        if let kind, kind != .text { try checkUnused(name, fields, present, kind) }
        switch kind {
        case nil, .keep: return present
        case .remove: return nil
        case .inAppDefault: return Kind(present) == .inAppDefault && present == nil ? nil : .inAppDefault
        case .text:
            var old: String?
            if case .text(let text)? = present { old = text }
            guard let sent = fields.raw(name) else { return present }
            return .text(UserText.sent(sent, present: old))
        }
    }

    /// A text beside a choice that does not use it would be lost in silence. The stored text may stay in its field.
    private static func checkUnused(
        _ name: String, _ fields: FormFields, _ present: RemoteConfigParameterValue?, _ kind: Kind
    ) throws {
        guard let text = fields.raw(name), !text.isEmpty else { return }
        if case .text(let old)? = present, UserText.sent(text, present: old) == old { return }
        throw APIFailure.field(
            name,
            "You typed a value and chose ‘\(kind.title)’, which does not use it. Choose ‘\(Kind.text.title)’, or empty the field."
        )
    }

    private static func conditionalValues(
        _ fields: FormFields, _ old: RemoteConfigParameter?
    ) throws -> [String: RemoteConfigParameterValue]? {
        let present = old?.conditionalValues ?? [:]
        var values = present
        var index = 0
        while let condition = fields.raw("condition-\(index)") {
            values[condition] = try value("value-\(index)", fields, present[condition])
            index += 1
        }
        if let condition = fields.text("add-condition") {
            values[condition] = try value("add", fields, nil) ?? .inAppDefault
        } else if fields.text("add") != nil || Kind(rawValue: fields["add-kind"]) == .inAppDefault {
            throw APIFailure.field(
                "add-condition", "Choose the condition that the value is for, or empty the value below.")
        }
        return values.isEmpty ? (old?.conditionalValues?.isEmpty == true ? [:] : nil) : values
    }
}
