import HearthConfiguration

extension CompiledTemplate.Resolution {
    /// By key.
    var values: [String: String] { Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0.value) }) }
}
