import Foundation

extension RemoteConfig {
    /// The same as ``configValue(forKey:)``.
    public subscript(key: String) -> RemoteConfigValue { configValue(forKey: key) }

    /// What was activated, else the default, else the empty value. Where a running experiment varies the parameter, this counts
    /// as its first use on this installation, which the server is told with the events.
    public func configValue(forKey key: String?) -> RemoteConfigValue {
        guard let key else { return Self.empty }
        core.noteUse(of: key)
        return core.value(key) ?? Self.empty
    }

    /// From this source only; the empty value where it has none.
    public func configValue(forKey key: String?, source: RemoteConfigSource) -> RemoteConfigValue {
        guard let key else { return Self.empty }
        if source == .remote { core.noteUse(of: key) }
        return core.value(key, source: source) ?? Self.empty
    }

    /// Nil where the app has set none.
    public func defaultValue(forKey key: String?) -> RemoteConfigValue? {
        key.flatMap { key in core.value(key, source: .default) }
    }

    /// In alphabetical order.
    public func allKeys(from source: RemoteConfigSource) -> [String] { core.keys(source) }

    /// The activated keys, without those that only have a default; all of them for nil and for an empty prefix.
    public func keys(withPrefix prefix: String?) -> Set<String> {
        let prefix = prefix ?? ""
        return Set(allKeys(from: .remote).filter { prefix.isEmpty || $0.hasPrefix(prefix) })
    }

    private static var empty: RemoteConfigValue { RemoteConfigValue(dataValue: Data(), source: .static) }
}
