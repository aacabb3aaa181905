/// The state that is stored between processes. Times are in microseconds since 1970.
struct ConfigRecord: Codable, Sendable, Equatable {
    /// The last snapshot that came from the server.
    var fetched: ConfigSnapshot?
    /// The snapshot that the app sees.
    var active: ConfigSnapshot?
    /// How often the visible values changed on this device.
    var activationCount: Int?
    var lastFetchMicroseconds: Int64?
    /// A raw value of ``RemoteConfigFetchStatus``.
    var lastFetchStatus: Int?
    var pause = FetchBackoff()
    var signals: [String: StoredSignal] = [:]
    /// When this app first ran on this device.
    var firstOpenMicroseconds: Int64?

    var status: RemoteConfigFetchStatus { lastFetchStatus.flatMap(RemoteConfigFetchStatus.init) ?? .noFetchYet }
}
