import HearthWire

/// Parameters by key, whatever group they are in.
extension ConfigTemplate {
    func parameter(forKey key: String) -> ConfigParameter? {
        parameters?[key] ?? group(ofKey: key).flatMap { parameterGroups?[$0]?.parameters?[key] }
    }

    /// Where it is already, or outside the groups.
    mutating func put(_ parameter: ConfigParameter, forKey key: String) {
        if let group = group(ofKey: key) {
            parameterGroups?[group]?.parameters?[key] = parameter
        } else {
            parameters = parameters ?? [:]
            parameters?[key] = parameter
        }
    }

    mutating func set(_ value: ConfigValue, forKey key: String) {
        var parameter = parameter(forKey: key) ?? ConfigParameter()
        parameter.defaultValue = value
        put(parameter, forKey: key)
    }

    private func group(ofKey key: String) -> String? {
        parameterGroups?.first { $0.value.parameters?[key] != nil }?.key
    }
}
