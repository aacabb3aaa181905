public import Foundation

/// The conditions under which a model may be downloaded. One class serves all generations of the API; equality is by
/// value.
open class ModelDownloadConditions: NSObject, NSCopying {
    /// Whether a metered connection may be used, for example a cellular one. If not, the download continues once there
    /// is another connection, or fails. A connection of unknown kind counts as not metered.
    public let allowsCellularAccess: Bool
    /// Kept for existing apps. On phones, the system may download for an app that is not running. On Linux it has no
    /// effect: a download runs while the program runs. After a restart, it continues from where it stopped when the app
    /// next asks for the model.
    public let allowsBackgroundDownloading: Bool

    /// Creates conditions.
    public init(allowsCellularAccess: Bool = true, allowsBackgroundDownloading: Bool = false) {
        self.allowsCellularAccess = allowsCellularAccess
        self.allowsBackgroundDownloading = allowsBackgroundDownloading
    }

    public override convenience init() {
        self.init(allowsCellularAccess: true, allowsBackgroundDownloading: false)
    }

    /// Returns a new object with the same values.
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

/// The names that the class had before 2019, for apps that still use them.
extension ModelDownloadConditions {
    /// Creates conditions from the old settings.
    /// - Parameters:
    ///   - wiFiRequired: Whether metered connections are excluded.
    ///   - idleRequired: Has no effect, because each phone defined idleness itself.
    @available(*, deprecated, message: "use init(allowsCellularAccess:allowsBackgroundDownloading:)")
    public convenience init(wiFiRequired: Bool, idleRequired: Bool) {
        self.init(allowsCellularAccess: !wiFiRequired, allowsBackgroundDownloading: false)
    }

    /// Creates conditions from the old settings.
    @available(*, deprecated, message: "use init(allowsCellularAccess:allowsBackgroundDownloading:)")
    public convenience init(isWiFiRequired: Bool, canDownloadInBackground: Bool) {
        self.init(allowsCellularAccess: !isWiFiRequired, allowsBackgroundDownloading: canDownloadInBackground)
    }

    /// Whether metered connections are excluded.
    @available(*, deprecated, message: "use allowsCellularAccess, which means the opposite")
    public var isWiFiRequired: Bool { !allowsCellularAccess }

    /// Always false: see ``init(wiFiRequired:idleRequired:)``.
    @available(*, deprecated, message: "it has no effect")
    public var isIdleRequired: Bool { false }

    /// The old name of ``allowsBackgroundDownloading``.
    @available(*, deprecated, renamed: "allowsBackgroundDownloading")
    public var canDownloadInBackground: Bool { allowsBackgroundDownloading }
}
