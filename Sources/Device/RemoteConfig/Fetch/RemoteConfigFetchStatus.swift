/// How the last fetch ended.
public enum RemoteConfigFetchStatus: Int, Sendable {
    case noFetchYet = 0
    /// The server answered, or what is there is young enough.
    case success = 1
    case failure = 2
    /// The server asked for a pause.
    case throttled = 3
}
