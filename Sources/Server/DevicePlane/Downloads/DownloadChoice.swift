package import HearthCatalog
package import HearthServing
import HearthTargeting

/// What a device gets when it asks for a model, and why.
package struct DownloadChoice {
    package enum Reason {
        case pin(ServedPin)
        /// The index of the device's variant.
        case experiment(ServedExperiment, variant: Int)
        /// The newest release that includes the device; none if there is no version.
        case release
    }

    /// Nil if the device gets nothing.
    package let version: ServedRelease?
    package let reason: Reason
    /// Whether the device has any pin of the project: what it does says nothing about other devices.
    package let isPinned: Bool
    /// Whether another device might get another version.
    let dependsOnDevice: Bool
    /// How the newer releases and the chosen one were decided, newest first; empty if none of the model is watched.
    var findings: [ReleaseFinding] = []

    /// What the answer says about the device's experiment. A device reports exposures only to experiments that answers
    /// name, so the answers to pinned devices name none.
    var experimentTag: String? {
        guard !isPinned, case .experiment(let experiment, let variant) = reason else { return nil }
        return experiment.tags[variant]
    }
}
