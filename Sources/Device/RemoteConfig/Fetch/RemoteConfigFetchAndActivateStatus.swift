/// How fetching and activating ended.
public enum RemoteConfigFetchAndActivateStatus: Int, Sendable {
    /// Also when what is there is young enough, or nothing changed.
    case successFetchedFromRemote = 0
    case successUsingPreFetchedData = 1
    case error = 2
}
