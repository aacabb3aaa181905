public import Foundation

/// Under which conditions a model may be fetched. One class for all generations of the API; equality is by value.
/// On Linux every connection counts as allowed: the values are kept and have no effect.
open class ModelDownloadConditions: NSObject, NSCopying {
    public let allowsCellularAccess: Bool
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
