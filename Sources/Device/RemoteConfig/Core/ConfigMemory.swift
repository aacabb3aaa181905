/// What is known of the server's side at a moment. Pure.
struct ConfigMemory: Sendable {
    var record: ConfigRecord
    var isFetching = false

    var activeEntries: [String: String] { record.active?.entries ?? [:] }

    /// False when nothing new was fetched.
    mutating func activate() -> Bool {
        guard let fetched = record.fetched, fetched.isNew(comparedTo: record.active) else { return false }
        record.active = fetched
        return true
    }
}
