/// What is being done about a remote model that is not on this device.
public enum ModelAbsence: Sendable, Equatable {
    /// Nobody has said yet where models come from.
    case notConfigured
    case beingFetched
    /// The last download failed, and the next one is not due yet. `reason` is a sentence.
    case resting(reason: String)
}
