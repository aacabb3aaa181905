/// Where a value comes from.
public enum RemoteConfigSource: Int, Sendable {
    /// The server, activated on this device.
    case remote = 0
    /// The app's own defaults.
    case `default` = 1
    /// Neither has one: empty, 0 and false.
    case `static` = 2
}
