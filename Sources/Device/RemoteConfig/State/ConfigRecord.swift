/// What outlives the process. Times are in microseconds since 1970.
struct ConfigRecord: Codable, Sendable, Equatable {
    /// The last that came from the server.
    var fetched: ConfigSnapshot?
    /// The one that the app sees.
    var active: ConfigSnapshot?
    /// How often other values became visible on this device.
    var activationCount: Int?
    var lastFetchMicroseconds: Int64?
    /// A raw value of ``RemoteConfigFetchStatus``.
    var lastFetchStatus: Int?
    var pause = FetchPause()
    var signals: [String: StoredSignal] = [:]
    /// When this app was first seen on this device.
    var firstOpenMicroseconds: Int64?

    var status: RemoteConfigFetchStatus { lastFetchStatus.flatMap(RemoteConfigFetchStatus.init) ?? .noFetchYet }
}
