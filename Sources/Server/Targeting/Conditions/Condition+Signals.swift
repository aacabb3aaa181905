extension Condition {
    /// Signals of the condition that a device which asks for a model does not tell, as they are written: in a release such
    /// a condition is met by nobody.
    public var signalsOfFetchesOnly: [String] {
        var names: [String] = []
        for name in terms.compactMap(\.signalOfFetchesOnly) where !names.contains(name) { names.append(name) }
        return names
    }
}

extension ConditionTerm {
    fileprivate var signalOfFetchesOnly: String? {
        switch self {
        case .text(let signal, _), .number(let signal, _, _), .version(let signal, _, _), .word(let signal, _, _),
            .set(let signal, _, _):
            signal.nameIfOfFetchesOnly
        case .time(.firstOpen, _, _): "app.firstOpenTimestamp"
        case .literal, .language, .time(.now, _, _), .percent: nil
        }
    }
}

extension ConditionSignal {
    fileprivate var nameIfOfFetchesOnly: String? {
        switch self {
        case .appBuild: "app.build"
        case .userProperty(let key): "app.userProperty['\(key)']"
        case .customSignal(let key): "app.customSignal['\(key)']"
        case .audiences: "app.audiences"
        case .importedSegments: "app.importedSegments"
        case .operatingSystemAndVersion: "app.operatingSystemAndVersion"
        case .browserAndVersion: "app.browserAndVersion"
        case .appVersion, .appID, .installationID, .operatingSystem, .country, .tags: nil
        }
    }
}
