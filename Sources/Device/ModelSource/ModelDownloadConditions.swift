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

/// The names that the class had before 2019, for apps that were not touched since.
extension ModelDownloadConditions {
    /// - Parameter idleRequired: Has no effect: what counted as idle was up to the phone.
    @available(*, deprecated, message: "use init(allowsCellularAccess:allowsBackgroundDownloading:)")
    public convenience init(wiFiRequired: Bool, idleRequired: Bool) {
        self.init(allowsCellularAccess: !wiFiRequired, allowsBackgroundDownloading: false)
    }

    @available(*, deprecated, message: "use init(allowsCellularAccess:allowsBackgroundDownloading:)")
    public convenience init(isWiFiRequired: Bool, canDownloadInBackground: Bool) {
        self.init(allowsCellularAccess: !isWiFiRequired, allowsBackgroundDownloading: canDownloadInBackground)
    }

    @available(*, deprecated, message: "use allowsCellularAccess, which means the opposite")
    public var isWiFiRequired: Bool { !allowsCellularAccess }

    /// Always false: see ``init(wiFiRequired:idleRequired:)``.
    @available(*, deprecated, message: "it has no effect")
    public var isIdleRequired: Bool { false }

    @available(*, deprecated, renamed: "allowsBackgroundDownloading")
    public var canDownloadInBackground: Bool { allowsBackgroundDownloading }
}
