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
    init(
        _ fields: FormFields, present: (group: String?, parameter: RemoteConfigParameter)?, groups: [String]
    ) {
        key = fields["key"]
        group = Self.group(fields, groups)
        let old = present?.parameter
        var parameter = RemoteConfigParameter()
        parameter.defaultValue = Self.value("default", fields, old?.defaultValue)
        let description = ConfigText.sent(fields.raw("description") ?? "", present: old?.description)
        parameter.description = description.isEmpty ? nil : description
        parameter.valueType = Self.type(fields["type"], old)
        parameter.conditionalValues = Self.conditionalValues(fields, old)
        self.parameter = parameter
    }

    private static func group(_ fields: FormFields, _ groups: [String]) -> String? {
        if let new = fields.text("new-group") { return groups.first { ConfigText.roundTrip($0) == new } ?? new }
        guard let text = fields.raw("group"), !text.isEmpty else { return nil }
        let name = ConfigText.roundTrip(text)
        return groups.first { ConfigText.roundTrip($0) == name } ?? name
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
    ) -> RemoteConfigParameterValue? {
        switch Kind(rawValue: fields["\(name)-kind"]) {
        case nil, .keep: return present
        case .remove: return nil
        case .inAppDefault: return Kind(present) == .inAppDefault && present == nil ? nil : .inAppDefault
        case .text:
            var old: String?
            if case .text(let text)? = present { old = text }
            guard let sent = fields.raw(name) else { return present }
            return .text(ConfigText.sent(sent, present: old))
        }
    }

    private static func conditionalValues(
        _ fields: FormFields, _ old: RemoteConfigParameter?
    ) -> [String: RemoteConfigParameterValue]? {
        let present = old?.conditionalValues ?? [:]
        var values = present
        var index = 0
        while let condition = fields.raw("condition-\(index)") {
            values[condition] = value("value-\(index)", fields, present[condition])
            index += 1
        }
        if let condition = fields.text("add-condition") {
            values[condition] = value("add", fields, nil) ?? .inAppDefault
        }
        return values.isEmpty ? (old?.conditionalValues?.isEmpty == true ? [:] : nil) : values
    }
}
