public import Foundation

/// Under which conditions a model may be fetched. One class for all generations of the API; equality is by value.
open class ModelDownloadConditions: NSObject, NSCopying {
    /// Whether a metered connection may be used, a cellular one for example. Where it may not, the download goes on once there
    /// is another connection, or fails. A connection of which nothing is known counts as not metered.
    public let allowsCellularAccess: Bool
    /// Kept for existing apps. On phones the system may fetch for an app that is not running. On Linux it makes no
    /// difference: a download goes on while the program runs, and after a restart where it was when somebody asks for
    /// the model again.
    public let allowsBackgroundDownloading: Bool

    public init(allowsCellularAccess: Bool = true, allowsBackgroundDownloading: Bool = false) {
        self.allowsCellularAccess = allowsCellularAccess
        self.allowsBackgroundDownloading = allowsBackgroundDownloading
    }

    public override convenience init() {
        self.init(allowsCellularAccess: true, allowsBackgroundDownloading: false)
    }

    public func copy(with zone: NSZone? = nil) -> Any {
        ModelDownloadConditions(
            allowsCellularAccess: allowsCellularAccess, allowsBackgroundDownloading: allowsBackgroundDownloading)
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? ModelDownloadConditions else { return false }
        return allowsCellularAccess == other.allowsCellularAccess
            && allowsBackgroundDownloading == other.allowsBackgroundDownloading
    }

    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(allowsCellularAccess)
        hasher.combine(allowsBackgroundDownloading)
        return hasher.finalize()
    }
}
