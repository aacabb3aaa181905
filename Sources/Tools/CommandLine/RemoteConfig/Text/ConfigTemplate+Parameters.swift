import HearthWire

extension ConfigTemplate {
    /// Those of all groups and of none, by key.
    var allParameters: [(key: String, group: String?, parameter: ConfigParameter)] {
        let grouped = (parameterGroups ?? [:]).flatMap { name, group in
            (group.parameters ?? [:]).map { (key: $0.key, group: Optional(name), parameter: $0.value) }
        }
        let plain = (parameters ?? [:]).map { (key: $0.key, group: String?.none, parameter: $0.value) }
        return (plain + grouped).sorted { $0.key < $1.key }
    }

    /// The parameter, in whichever group it is; nil takes it away. A new one is put into no group.
    subscript(parameter key: String) -> ConfigParameter? {
        get { allParameters.first { $0.key == key }?.parameter }
        set {
            if let group = allParameters.first(where: { $0.key == key })?.group {
                parameterGroups?[group]?.parameters?[key] = newValue
            } else {
                var plain = parameters ?? [:]
                plain[key] = newValue
                parameters = plain
            }
        }
    }
}
