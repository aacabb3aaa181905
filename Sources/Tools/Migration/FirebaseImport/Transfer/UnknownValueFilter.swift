import HearthRemoteConfigTemplates
import HearthWire

/// Leaves out of a Firebase template what would make all of it unreadable here: kinds of values and types that did not exist when
/// this program was written.
struct UnknownValueFilter {
    let isForServers: Bool
    /// What was left out of the values, a sentence each.
    private(set) var notes: [String] = []

    init(isForServers: Bool) { self.isForServers = isForServers }

    mutating func known(_ template: JSONValue) -> JSONValue {
        guard case .object(var members) = template else { return template }
        if case .object(let parameters)? = members["parameters"] {
            members["parameters"] = .object(readable(parameters))
        }
        if case .object(var groups)? = members["parameterGroups"] {
            for (name, group) in groups.sorted(by: { $0.key < $1.key }) {
                guard case .object(var about) = group, case .object(let parameters)? = about["parameters"] else {
                    continue
                }
                about["parameters"] = .object(readable(parameters))
                groups[name] = .object(about)
            }
            members["parameterGroups"] = .object(groups)
        }
        if case .object(var version)? = members["version"] {
            // As text everywhere in Google's documents.
            for name in ["versionNumber", "rollbackSource"] {
                if let number = version[name]?.integer { version[name] = .text(String(number)) }
            }
            members["version"] = .object(version)
        }
        return .object(members)
    }

    private mutating func readable(_ parameters: [String: JSONValue]) -> [String: JSONValue] {
        var result = parameters
        for (key, parameter) in parameters.sorted(by: { $0.key < $1.key }) {
            guard case .object(var members) = parameter else { continue }
            if let type = members["valueType"], type.text.flatMap(ParameterType.init) == nil {
                members["valueType"] = nil
            }
            if let value = members["defaultValue"], !isReadable(value, asDefault: true) {
                members["defaultValue"] = nil
                notes.append(
                    "parameter \(key): its default is \(Self.kind(of: value)); devices get the app's own default.")
            }
            if case .object(var values)? = members["conditionalValues"] {
                for (condition, value) in values.sorted(by: { $0.key < $1.key })
                where !isReadable(value, asDefault: false) {
                    values[condition] = nil
                    notes.append("parameter \(key), condition '\(condition)': \(Self.kind(of: value)); nobody gets it.")
                }
                members["conditionalValues"] = .object(values)
            }
            result[key] = .object(members)
        }
        return result
    }

    /// Whether a value is one that the server takes at its place.
    private func isReadable(_ value: JSONValue, asDefault: Bool) -> Bool {
        if value["value"]?.text != nil || value["useInAppDefault"]?.isTrue == true {
            return value.members.keys.count(where: Self.kinds.contains) == 1
        }
        guard !asDefault, !isForServers, let json = try? WireJSON.encode(value),
            let read = try? WireJSON.decode(RemoteConfigParameterValue.self, from: json)
        else { return false }
        guard case .rollout(let rollout) = read else { return true }
        guard let range = rollout.microPercentRange else { return (0...100).contains(rollout.percent ?? 0) }
        let (start, end) = (range.microPercentStart ?? 0, range.microPercentEnd ?? 0)
        return 0 <= start && start <= end && end <= 100_000_000
    }

    private static let kinds: Set<String> = [
        "value", "useInAppDefault", "personalizationValue", "rolloutValue", "experimentValue",
    ]

    private static func kind(of value: JSONValue) -> String {
        let names = value.members.keys.sorted().joined(separator: ", ").prefix(60)
        return "a value of a kind that Hearth cannot have here (\(names.isEmpty ? "empty" : String(names)))"
    }
}
