import HearthRemoteConfigTemplates
import HearthWire

/// Changes of a template that the pages make. They check nothing: the API does.
extension RemoteConfigTemplate {
    func parameter(_ key: String) -> (group: String?, parameter: RemoteConfigParameter)? {
        if let parameter = parameters?[key] { return (nil, parameter) }
        for (name, group) in parameterGroups ?? [:] {
            if let parameter = group.parameters?[key] { return (name, parameter) }
        }
        return nil
    }

    /// Removes the parameter, and its group if that has no other one.
    mutating func removeParameter(_ key: String) {
        guard let group = parameter(key)?.group else {
            parameters?[key] = nil
            return
        }
        parameterGroups?[group]?.parameters?[key] = nil
        if parameterGroups?[group]?.parameters?.isEmpty == true { parameterGroups?[group] = nil }
    }

    /// Puts the parameter into the group, in place of the one that has the key.
    mutating func setParameter(_ key: String, _ parameter: RemoteConfigParameter, group: String?) {
        guard self.parameter(key).map({ $0.group == group }) ?? true else {
            let description = group.flatMap { parameterGroups?[$0]?.description }
            removeParameter(key)
            return add(key, parameter, group, description)
        }
        add(key, parameter, group, group.flatMap { parameterGroups?[$0]?.description })
    }

    private mutating func add(
        _ key: String, _ parameter: RemoteConfigParameter, _ group: String?, _ description: String?
    ) {
        guard let group else {
            parameters = (parameters ?? [:]).merging([key: parameter]) { $1 }
            return
        }
        var groups = parameterGroups ?? [:]
        var members = groups[group] ?? RemoteConfigParameterGroup(description: description)
        members.parameters = (members.parameters ?? [:]).merging([key: parameter]) { $1 }
        groups[group] = members
        parameterGroups = groups
    }

    /// The keys of the parameters that have a value for each condition, in order.
    var usersByCondition: [String: [String]] {
        var users: [String: [String]] = [:]
        for entry in allParameters {
            for name in (entry.parameter.conditionalValues ?? [:]).keys { users[name, default: []].append(entry.key) }
        }
        return users
    }

    /// Replaces a condition, or adds one at the end. The values of parameters follow a condition to its new name.
    mutating func setCondition(_ condition: RemoteConfigCondition, replacing old: String?) {
        var all = conditions ?? []
        guard let old, let index = all.firstIndex(where: { $0.name == old }) else {
            conditions = all + [condition]
            return
        }
        all[index] = condition
        conditions = all
        guard condition.name != old else { return }
        changeConditionalValues { values in
            guard let value = values.removeValue(forKey: old) else { return }
            values[condition.name] = value
        }
    }

    /// Removes the condition, and the values of parameters for it.
    mutating func removeCondition(_ name: String) {
        conditions?.removeAll { $0.name == name }
        changeConditionalValues { $0[name] = nil }
    }

    /// Moves a condition by so many places, as far as there are any.
    ///
    /// - Returns: its new place, from 0; nil if there is no such condition.
    @discardableResult
    mutating func moveCondition(_ name: String, by places: Int) -> Int? {
        var all = conditions ?? []
        guard let index = all.firstIndex(where: { $0.name == name }) else { return nil }
        let condition = all.remove(at: index)
        let target = min(max(0, index + places), all.count)
        all.insert(condition, at: target)
        conditions = all
        return target
    }

    private mutating func changeConditionalValues(
        _ change: (inout [String: RemoteConfigParameterValue]) -> Void
    ) {
        func changed(_ parameter: RemoteConfigParameter) -> RemoteConfigParameter {
            guard var values = parameter.conditionalValues else { return parameter }
            change(&values)
            var parameter = parameter
            parameter.conditionalValues = values.isEmpty ? nil : values
            return parameter
        }
        parameters = parameters?.mapValues(changed)
        parameterGroups = parameterGroups?.mapValues { group in
            var group = group
            group.parameters = group.parameters?.mapValues(changed)
            return group
        }
    }
}
