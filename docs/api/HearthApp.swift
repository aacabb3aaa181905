// The public interface of HearthApp. Written by scripts/api; do not edit.

public struct DeviceDescription : Sendable, Hashable {
    public static let tagLimit: Int
    public private(set) var appVersion: String? { get }
    public internal(set) var operatingSystem: String? { get }
    public private(set) var language: String? { get }
    public private(set) var country: String? { get }
    public private(set) var tags: [String] { get }
    public init()
    public mutating func setAppVersion(_ version: String?) throws(DeviceDescriptionError)
    public mutating func setLanguage(_ language: String?) throws(DeviceDescriptionError)
    public mutating func setCountry(_ country: String?) throws(DeviceDescriptionError)
    public mutating func setTags(_ tags: [String]) throws(DeviceDescriptionError)
}
public struct DeviceDescriptionError : LocalizedError, Sendable, Hashable, CustomStringConvertible {
    public struct Code : RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String)
        public static let badAppVersion: DeviceDescriptionError.Code
        public static let badOperatingSystem: DeviceDescriptionError.Code
        public static let badLanguage: DeviceDescriptionError.Code
        public static let badCountry: DeviceDescriptionError.Code
        public static let badTag: DeviceDescriptionError.Code
        public static let tooManyTags: DeviceDescriptionError.Code
    }
    public let code: DeviceDescriptionError.Code
    public let message: String
    public var description: String { get }
    public var errorDescription: String? { get }
}
final public class FirebaseApp : NSObject, Sendable {
    public let name: String
    public var callbackQueue: DispatchQueue
    public var options: FirebaseOptions { get }
    public var isDataCollectionDefaultEnabled: Bool
    public var deviceDescription: DeviceDescription
    public class func configure()
    public class func configure(options: FirebaseOptions)
    public class func configure(name: String, options: FirebaseOptions)
    public class func app() -> FirebaseApp?
    public class func app(name: String) -> FirebaseApp?
    public class var allApps: [String : FirebaseApp]? { get }
    public func delete(_ completion: @escaping (Bool) -> Void)
    @discardableResult
    public func delete() async -> Bool
}
final public class FirebaseConfiguration : NSObject, Sendable {
    public class var shared: FirebaseConfiguration { get }
    public func setLoggerLevel(_ loggerLevel: FirebaseLoggerLevel)
    public func loggerLevel() -> FirebaseLoggerLevel
}
public enum FirebaseLoggerLevel : Int, Sendable {
    case error
    case warning
    case notice
    case info
    case debug
    public static var min: FirebaseLoggerLevel { get }
    public static var max: FirebaseLoggerLevel { get }
}
open class FirebaseOptions : NSObject, NSCopying {
    public init(googleAppID: String, gcmSenderID: String)
    public convenience init?(contentsOfFile plistPath: String)
    public var googleAppID: String
    public var gcmSenderID: String
    public var apiKey: String?
    public var projectID: String?
    public var bundleID: String
    public var clientID: String?
    public var databaseURL: String?
    public var storageBucket: String?
    public var appGroupID: String?
    public var serverURL: String?
    public var proxyURL: String?
    public var caFile: String?
    open class func defaultOptions() -> FirebaseOptions?
    public func copy(with zone: NSZone? = nil) -> Any
    override open func isEqual(_ object: Any?) -> Bool
    override open var hash: Int { get }
}
extension FirebaseOptions {
    @available(*, deprecated, message: "Has no effect.")
    public var androidClientID: String?
    @available(*, deprecated, message: "Has no effect.")
    public var trackingID: String?
    @available(*, deprecated, message: "Has no effect.")
    public var deepLinkURLScheme: String?
}
public func FirebaseVersion() -> String
public let InstallationIDDidChangeAppNameKey: String
final public class Installations : NSObject, Sendable {
    public class func installations() -> Installations
    public class func installations(app: FirebaseApp) -> Installations
    public func installationID(completion: @escaping (String?, (any Error)?) -> Void)
    @discardableResult
    public func installationID() async throws -> String
    public func authToken(completion: @escaping (InstallationsAuthTokenResult?, (any Error)?) -> Void)
    @discardableResult
    public func authToken() async throws -> InstallationsAuthTokenResult
    public func authTokenForcingRefresh(_ forceRefresh: Bool, completion: @escaping (InstallationsAuthTokenResult?, (any Error)?) -> Void)
    @discardableResult
    public func authTokenForcingRefresh(_ forceRefresh: Bool) async throws -> InstallationsAuthTokenResult
    public func delete(completion: @escaping ((any Error)?) -> Void)
    public func delete() async throws
}
final public class InstallationsAuthTokenResult : NSObject, Sendable {
    public let authToken: String
    public let expirationDate: Date
}
public struct InstallationsErrorCode : NSErrorWrapper {
    public enum Code : Int, Sendable {
        case unknown
        case keychain
        case serverUnreachable
        case invalidConfiguration
        public typealias _ErrorType = InstallationsErrorCode
        public static func ~= (code: InstallationsErrorCode.Code, error: any Error) -> Bool
    }
    public static var errorDomain: String { get }
    public static var fallbackCode: InstallationsErrorCode.Code { get }
    public let _nsError: NSError
    public init(_nsError error: NSError)
    public static var unknown: InstallationsErrorCode.Code { get }
    public static var keychain: InstallationsErrorCode.Code { get }
    public static var serverUnreachable: InstallationsErrorCode.Code { get }
    public static var invalidConfiguration: InstallationsErrorCode.Code { get }
}
public let InstallationsErrorDomain: String
public protocol NSErrorWrapper : CustomNSError, LocalizedError, Hashable, _ObjectiveCBridgeable where Self._ObjectiveCType == NSError {
    associatedtype Code : RawRepresentable, Sendable where Self.Code.RawValue == Int
    static var fallbackCode: Self.Code { get }
    var _nsError: NSError { get }
    init(_nsError error: NSError)
}
extension NSErrorWrapper {
    public init(_ code: Self.Code, userInfo: [String : Any] = [:])
    public var code: Self.Code { get }
    public var userInfo: [String : Any] { get }
    public var errorCode: Int { get }
    public var errorUserInfo: [String : Any] { get }
    public var errorDescription: String? { get }
    public var failureReason: String? { get }
    public var recoverySuggestion: String? { get }
    public static func == (left: Self, right: Self) -> Bool
    public func hash(into hasher: inout Hasher)
}
extension NSErrorWrapper {
    public func _bridgeToObjectiveC() -> NSError
    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout Self?)
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout Self?) -> Bool
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> Self
}
extension NSNotification.Name {
    public static let InstallationIDDidChange: NSNotification.Name
}
public var InstallationIDDidChangeAppNameKey: String
public var InstallationsErrorDomain: String
