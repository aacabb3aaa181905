// The public interface of HearthRemoteConfig. Written by scripts/api; do not edit.

open class ConfigUpdateListenerRegistration : NSObject, @unchecked Sendable {
    override public init()
    public init(removal: @escaping @Sendable () -> Void)
    open func remove()
}
public struct CustomSignalValue : Sendable, Hashable {
    public static func string(_ text: String) -> CustomSignalValue
    public static func integer(_ number: Int) -> CustomSignalValue
    public static func double(_ number: Double) -> CustomSignalValue
}
extension CustomSignalValue : ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    public init(stringLiteral value: String)
    public init(integerLiteral value: Int)
    public init(floatLiteral value: Double)
}
final public class ExperimentController : NSObject, Sendable {
    public class func sharedInstance() -> ExperimentController
}
final public class LifecycleEvents : NSObject {
    public var setExperimentEventName: String
    public var activateExperimentEventName: String
    public var clearExperimentEventName: String
    public var timeoutExperimentEventName: String
    public var expireExperimentEventName: String
    override public init()
}
public let NamespaceGoogleMobilePlatform: String
public protocol OptionalRemoteConfigText {
    var dataValue: Data { get }
}
extension OptionalRemoteConfigText {
    public var stringValue: String? { get }
}
final public class RemoteConfig : NSObject, Sendable {
    public class func remoteConfig() -> RemoteConfig
    public class func remoteConfig(app: HearthApp.FirebaseApp) -> RemoteConfig
    public var configSettings: RemoteConfigSettings
    public var lastFetchTime: Date? { get }
    public var lastFetchStatus: RemoteConfigFetchStatus { get }
}
extension RemoteConfig {
    public func setCustomSignals(_ customSignals: [String : CustomSignalValue?]) async throws
}
extension RemoteConfig {
    public func ensureInitialized(completionHandler: @escaping ((any Error)?) -> Void)
    public func ensureInitialized() async throws
    public func fetch(completionHandler: ((RemoteConfigFetchStatus, (any Error)?) -> Void)?)
    @available(*, noasync, message: "it does not wait; write: let status: RemoteConfigFetchStatus = try await ...")
    public func fetch()
    @discardableResult
    public func fetch() async throws -> RemoteConfigFetchStatus
    public func fetch(withExpirationDuration expirationDuration: TimeInterval, completionHandler: ((RemoteConfigFetchStatus, (any Error)?) -> Void)?)
    @available(*, noasync, message: "it does not wait; write: let status: RemoteConfigFetchStatus = try await ...")
    public func fetch(withExpirationDuration expirationDuration: TimeInterval)
    @discardableResult
    public func fetch(withExpirationDuration expirationDuration: TimeInterval) async throws -> RemoteConfigFetchStatus
    public func fetchAndActivate(completionHandler: ((RemoteConfigFetchAndActivateStatus, (any Error)?) -> Void)?)
    @available(*, noasync, message: "it does not wait; write: let status: RemoteConfigFetchAndActivateStatus = try await ...")
    public func fetchAndActivate()
    @discardableResult
    public func fetchAndActivate() async throws -> RemoteConfigFetchAndActivateStatus
    public func activate(completion: ((Bool, (any Error)?) -> Void)?)
    @available(*, noasync, message: "it does not wait; write: let isNew: Bool = try await ...")
    public func activate()
    @discardableResult
    public func activate() async throws -> Bool
}
extension RemoteConfig {
    public subscript(key: String) -> RemoteConfigValue { get }
    public func configValue(forKey key: String?) -> RemoteConfigValue
    public func configValue(forKey key: String?, source: RemoteConfigSource) -> RemoteConfigValue
    public func defaultValue(forKey key: String?) -> RemoteConfigValue?
    public func allKeys(from source: RemoteConfigSource) -> [String]
    public func keys(withPrefix prefix: String?) -> Set<String>
}
extension RemoteConfig {
    @discardableResult
    public func addOnConfigUpdateListener(remoteConfigUpdateCompletion listener: @escaping (RemoteConfigUpdate?, (any Error)?) -> Void) -> ConfigUpdateListenerRegistration
    public var configUpdates: RemoteConfigUpdateSequence { get }
}
extension RemoteConfig {
    public func decoded<Value>(asType: Value.Type = Value.self) throws -> Value where Value : Decodable
    public subscript<T>(decodedValue key: String) -> T? where T : Decodable { get }
    public subscript(jsonValue key: String) -> [String : AnyHashable]? { get }
}
extension RemoteConfig {
    public func setDefaults(_ defaults: [String : NSObject]?)
    public func setDefaults(fromPlist fileName: String?)
    public func setDefaults<Value>(from value: Value) throws where Value : Encodable
}
public enum RemoteConfigCodableError : LocalizedError, Sendable, Equatable {
    case invalidSetDefaultsInput(String)
    public var errorDescription: String? { get }
}
public struct RemoteConfigCustomSignalsError : HearthApp.NSErrorWrapper {
    public enum Code : Int, Sendable {
        case unknown
        case invalidValueType
        case limitExceeded
        public typealias _ErrorType = RemoteConfigCustomSignalsError
        public static func ~= (code: RemoteConfigCustomSignalsError.Code, error: any Error) -> Bool
    }
    public static var errorDomain: String { get }
    public static var fallbackCode: RemoteConfigCustomSignalsError.Code { get }
    public let _nsError: NSError
    public init(_nsError error: NSError)
    public static var unknown: RemoteConfigCustomSignalsError.Code { get }
    public static var invalidValueType: RemoteConfigCustomSignalsError.Code { get }
    public static var limitExceeded: RemoteConfigCustomSignalsError.Code { get }
}
public let RemoteConfigCustomSignalsErrorDomain: String
public struct RemoteConfigError : HearthApp.NSErrorWrapper {
    public enum Code : Int, Sendable {
        case unknown
        case throttled
        case internalError
        public typealias _ErrorType = RemoteConfigError
        public static func ~= (code: RemoteConfigError.Code, error: any Error) -> Bool
    }
    public static var errorDomain: String { get }
    public static var fallbackCode: RemoteConfigError.Code { get }
    public let _nsError: NSError
    public init(_nsError error: NSError)
    public static var unknown: RemoteConfigError.Code { get }
    public static var throttled: RemoteConfigError.Code { get }
    public static var internalError: RemoteConfigError.Code { get }
}
public let RemoteConfigErrorDomain: String
public enum RemoteConfigFetchAndActivateStatus : Int, Sendable {
    case successFetchedFromRemote
    case successUsingPreFetchedData
    case error
}
public enum RemoteConfigFetchStatus : Int, Sendable {
    case noFetchYet
    case success
    case failure
    case throttled
}
@propertyWrapper public struct RemoteConfigProperty<T> where T : Decodable {
    public let key: String
    public init(key: String, fallback: T)
    public var wrappedValue: T { get }
}
extension RemoteConfigProperty : Sendable where T : Sendable {
}
final public class RemoteConfigSettings : NSObject {
    override public init()
    public var minimumFetchInterval: TimeInterval
    public var fetchTimeout: TimeInterval
}
public enum RemoteConfigSource : Int, Sendable {
    case remote
    case `default`
    case `static`
}
public let RemoteConfigThrottledEndTimeInSecondsKey: String
open class RemoteConfigUpdate : NSObject, @unchecked Sendable {
    open var updatedKeys: Set<String> { get }
    override public init()
    public init(updatedKeys: Set<String>)
}
public struct RemoteConfigUpdateError : HearthApp.NSErrorWrapper {
    public enum Code : Int, Sendable {
        case streamError
        case notFetched
        case messageInvalid
        case unavailable
        public typealias _ErrorType = RemoteConfigUpdateError
        public static func ~= (code: RemoteConfigUpdateError.Code, error: any Error) -> Bool
    }
    public static var errorDomain: String { get }
    public static var fallbackCode: RemoteConfigUpdateError.Code { get }
    public let _nsError: NSError
    public init(_nsError error: NSError)
    public static var streamError: RemoteConfigUpdateError.Code { get }
    public static var notFetched: RemoteConfigUpdateError.Code { get }
    public static var messageInvalid: RemoteConfigUpdateError.Code { get }
    public static var unavailable: RemoteConfigUpdateError.Code { get }
}
public let RemoteConfigUpdateErrorDomain: String
public struct RemoteConfigUpdateSequence : AsyncSequence, Sendable {
    public typealias Element = RemoteConfigUpdate
    public struct AsyncIterator : AsyncIteratorProtocol {
        public mutating func next() async throws -> RemoteConfigUpdate?
    }
    public func makeAsyncIterator() -> RemoteConfigUpdateSequence.AsyncIterator
}
open class RemoteConfigValue : NSObject, NSCopying, @unchecked Sendable, OptionalRemoteConfigText {
    override public init()
    public init(dataValue: Data, source: RemoteConfigSource)
    open var dataValue: Data { get }
    open var source: RemoteConfigSource { get }
    open var stringValue: String { get }
    open var numberValue: NSNumber { get }
    open var boolValue: Bool { get }
    open var jsonValue: Any? { get }
    override open var debugDescription: String { get }
    open func copy(with zone: NSZone? = nil) -> Any
}
extension RemoteConfigValue {
    public func decoded<Value>(asType: Value.Type = Value.self) throws -> Value where Value : Decodable
}
public enum RemoteConfigValueCodableError : LocalizedError, Sendable, Equatable {
    case unsupportedType(String)
    public var errorDescription: String? { get }
}
public var RemoteConfigCustomSignalsErrorDomain: String
public var NamespaceGoogleMobilePlatform: String
public var RemoteConfigErrorDomain: String
public var RemoteConfigThrottledEndTimeInSecondsKey: String
public var RemoteConfigUpdateErrorDomain: String
