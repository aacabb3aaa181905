import Foundation

extension ConfigCore {
    /// From the server if it was activated, else the app's default.
    func value(_ key: String) -> RemoteConfigValue? {
        value(key, source: .remote) ?? value(key, source: .default)
    }

    func value(_ key: String, source: RemoteConfigSource) -> RemoteConfigValue? {
        let data: Data? =
            switch source {
            case .remote: look { $0.activeEntries[key] }.map { Data($0.utf8) }
            case .default: defaults[key]
            case .static: nil
            }
        return data.map { RemoteConfigValue(dataValue: $0, source: source) }
    }

    /// In alphabetical order.
    func keys(_ source: RemoteConfigSource) -> [String] {
        switch source {
        case .remote: look { $0.activeEntries.keys.sorted() }
        case .default: defaults.keys.sorted()
        case .static: []
        }
    }

    /// What the app sees, by key.
    var allValues: [String: RemoteConfigValue] {
        let active = look { $0.activeEntries }
        return defaults.mapValues { RemoteConfigValue(dataValue: $0, source: .default) }
            .merging(active.mapValues { RemoteConfigValue(dataValue: Data($0.utf8), source: .remote) }) { _, remote in
                remote
            }
    }
}
