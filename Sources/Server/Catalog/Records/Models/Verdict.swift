/// The probe's result for a file.
package enum Verdict: Sendable, Hashable {
    /// Not validated yet.
    case pending
    case ok
    /// Well formed, but this server's engine cannot run it. It may be published with a warning.
    case unsupported(String)
    /// Not a usable model, or it crashed the probe. It cannot be published.
    case malformed(String)

    /// How the text of `unsupported` begins if the model crashed the engine during the server's run. Such a version is
    /// released only if the caller allows it.
    package static let crashText = "Running the model on zeros crashed the engine here"

    /// Whether the model crashed the engine in its run on the server. A run that ended for lack of time or memory is
    /// not a crash.
    package var isCrash: Bool {
        if case .unsupported(let text) = self { text.hasPrefix(Self.crashText) } else { false }
    }

    package var isPublishable: Bool {
        switch self {
        case .ok, .unsupported: true
        case .pending, .malformed: false
        }
    }
}
