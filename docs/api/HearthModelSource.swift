// The public interface of HearthModelSource. Written by scripts/api; do not edit.

open class CustomLocalModel : LocalModel {
    public init(modelPath: String)
}
open class CustomRemoteModel : RemoteModel {
    override public init(name: String)
    public init(remoteModelSource: RemoteModelSource)
}
open class FirebaseModelSource : RemoteModelSource {
    override public init(name: String)
}
open class LocalModel : NSObject {
    public let path: String
    public let manifestPath: String?
    public let labelsPath: String?
    public init(path: String)
    public init(path: String, labelsPath: String?)
    public init?(manifestPath: String)
}
open class ModelDownloadConditions : NSObject, NSCopying {
    public let allowsCellularAccess: Bool
    public let allowsBackgroundDownloading: Bool
    public init(allowsCellularAccess: Bool = true, allowsBackgroundDownloading: Bool = false)
    override public convenience init()
    public func copy(with zone: NSZone? = nil) -> Any
    override open func isEqual(_ object: Any?) -> Bool
    override open var hash: Int { get }
}
extension ModelDownloadConditions {
    @available(*, deprecated, message: "use init(allowsCellularAccess:allowsBackgroundDownloading:)")
    public convenience init(wiFiRequired: Bool, idleRequired: Bool)
    @available(*, deprecated, message: "use init(allowsCellularAccess:allowsBackgroundDownloading:)")
    public convenience init(isWiFiRequired: Bool, canDownloadInBackground: Bool)
    @available(*, deprecated, message: "use allowsCellularAccess, which means the opposite")
    public var isWiFiRequired: Bool { get }
    @available(*, deprecated, message: "it has no effect")
    public var isIdleRequired: Bool { get }
    @available(*, deprecated, renamed: "allowsBackgroundDownloading")
    public var canDownloadInBackground: Bool { get }
}
open class RemoteModel : NSObject {
    public let name: String
}
open class RemoteModelSource : NSObject {
}
