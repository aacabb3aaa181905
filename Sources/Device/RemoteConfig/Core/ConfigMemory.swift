import Foundation

/// What one app's configuration is at a moment. Pure.
struct ConfigMemory: Sendable {
    var record: ConfigRecord
    var defaults: [String: Data] = [:]
    var settings = FetchSettings()
    var isFetching = false

    init(record: ConfigRecord) { self.record = record }

    /// From the server if it was activated, else the app's default.
    func value(_ key: String) -> RemoteConfigValue? {
        value(key, source: .remote) ?? value(key, source: .default)
    }

    func value(_ key: String, source: RemoteConfigSource) -> RemoteConfigValue? {
        let data: Data? =
            switch source {
            case .remote: record.active?.entries[key].map { Data($0.utf8) }
            case .default: defaults[key]
            case .static: nil
            }
        return data.map { RemoteConfigValue($0, source: source) }
    }

    func keys(_ source: RemoteConfigSource) -> [String] {
        switch source {
        case .remote: record.active?.entries.keys.sorted() ?? []
        case .default: defaults.keys.sorted()
        case .static: []
        }
    }

    /// False when nothing new was fetched.
    mutating func activate() -> Bool {
        guard let fetched = record.fetched, fetched.isNew(comparedTo: record.active) else { return false }
        record.active = fetched
        return true
    }
}
