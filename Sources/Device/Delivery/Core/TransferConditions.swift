import HearthModelSource

/// The values of `ModelDownloadConditions`, which apps may subclass, in a form that threads can share.
struct TransferConditions: Hashable, Sendable {
    let allowsCellularAccess: Bool
    let allowsBackgroundDownloading: Bool

    init(_ conditions: ModelDownloadConditions) {
        allowsCellularAccess = conditions.allowsCellularAccess
        allowsBackgroundDownloading = conditions.allowsBackgroundDownloading
    }

    var downloadConditions: ModelDownloadConditions {
        ModelDownloadConditions(
            allowsCellularAccess: allowsCellularAccess, allowsBackgroundDownloading: allowsBackgroundDownloading)
    }
}
