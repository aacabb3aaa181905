/// Which copy of a model a caller wants.
public enum ModelDownloadType: Sendable {
    /// The copy on this device; from the server only when there is none.
    case localModel
    /// The copy on this device at once, and then a check for a newer one in the background.
    case localModelUpdateInBackground
    /// The newest one: always asks the server.
    case latestModel
}
