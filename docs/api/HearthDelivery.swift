// The public interface of HearthDelivery. Written by scripts/api; do not edit.

public struct CustomModel : Hashable, Sendable {
    public let name: String
    public let size: Int
    public let path: String
    public let hash: String
    public let version: Int?
    public static func == (left: CustomModel, right: CustomModel) -> Bool
    public func hash(into hasher: inout Hasher)
}
public struct DeliverySettings : Sendable {
    public var deadlineSeconds: Double
    public var attemptLimit: Int
    public var stallSeconds: Double
    public var maxBytesPerSecond: UInt64?
    public var maxModelBytes: UInt64
    public var storeQuotaBytes: UInt64?
    public var reservedFreeBytes: UInt64
    public var deviceConditions: any DeviceConditions
    public var loadCheck: (@Sendable (_ path: String) throws -> Void)?
    public init()
}
public protocol DeviceConditions : Sendable {
    var isConnectionMetered: Bool? { get }
    var isOnExternalPower: Bool? { get }
}
public enum DownloadError : Error, Equatable, Sendable {
    case notFound
    case permissionDenied
    case failedPrecondition
    case resourceExhausted
    case notEnoughSpace
    case invalidArgument
    case emptyModelName
    case internalError(description: String)
}
extension DownloadError : LocalizedError {
    public var errorDescription: String? { get }
    public var failureReason: String? { get }
    public var recoverySuggestion: String? { get }
}
public struct DownloadFailure : LocalizedError, Sendable, Equatable, CustomStringConvertible {
    public struct Code : RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String)
        public static let notConfigured: DownloadFailure.Code
        public static let notFound: DownloadFailure.Code
        public static let permissionDenied: DownloadFailure.Code
        public static let noToken: DownloadFailure.Code
        public static let invalidArgument: DownloadFailure.Code
        public static let serverBusy: DownloadFailure.Code
        public static let serverFailed: DownloadFailure.Code
        public static let malformedResponse: DownloadFailure.Code
        public static let hostNotFound: DownloadFailure.Code
        public static let cannotConnect: DownloadFailure.Code
        public static let notSecure: DownloadFailure.Code
        public static let plainHTTP: DownloadFailure.Code
        public static let redirected: DownloadFailure.Code
        public static let truncated: DownloadFailure.Code
        public static let tooSlow: DownloadFailure.Code
        public static let tooLong: DownloadFailure.Code
        public static let wrongLength: DownloadFailure.Code
        public static let wrongHash: DownloadFailure.Code
        public static let linkExpired: DownloadFailure.Code
        public static let tooLarge: DownloadFailure.Code
        public static let noSpace: DownloadFailure.Code
        public static let notWritable: DownloadFailure.Code
        public static let storeRemoved: DownloadFailure.Code
        public static let storeFailed: DownloadFailure.Code
        public static let newerStore: DownloadFailure.Code
        public static let conditionsNotMet: DownloadFailure.Code
        public static let cancelled: DownloadFailure.Code
        public static let unusable: DownloadFailure.Code
    }
    public let code: DownloadFailure.Code
    public let message: String
    public let error: DownloadError
    public let isTemporary: Bool
    public let retryAfterSeconds: Double?
    public var description: String { get }
    public var errorDescription: String? { get }
}
extension DownloadFailure.Code {
    public static let appDeleted: DownloadFailure.Code
    public static let damaged: DownloadFailure.Code
}
public enum DownloadedModelError : Error, Sendable {
    case notFound
    case fileIOError(description: String)
    case internalError(description: String)
}
extension DownloadedModelError : LocalizedError {
    public var errorDescription: String? { get }
}
public enum ModelDownloadType : Sendable {
    case localModel
    case localModelUpdateInBackground
    case latestModel
}
public struct ModelDownloadUserInfoKey : RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String)
    public static let remoteModel: ModelDownloadUserInfoKey
    public static let error: ModelDownloadUserInfoKey
}
final public class ModelDownloader : Sendable {
    public static func modelDownloader() -> ModelDownloader
    public static func modelDownloader(app: HearthApp.FirebaseApp) -> ModelDownloader
    public var settings: DeliverySettings
    public func getModel(name modelName: String, downloadType: ModelDownloadType, conditions: HearthModelSource.ModelDownloadConditions, progressHandler: ((Float) -> Void)? = nil, completion: @escaping (Result<CustomModel, DownloadError>) -> Void)
    public func listDownloadedModels(completion: @escaping (Result<Set<CustomModel>, DownloadedModelError>) -> Void)
    public func deleteDownloadedModel(name modelName: String, completion: @escaping (Result<Void, DownloadedModelError>) -> Void)
}
extension ModelDownloader {
    public func installedModel(name modelName: String) throws -> CustomModel?
}
extension ModelDownloader {
    public func getModel(name modelName: String, downloadType: ModelDownloadType, conditions: HearthModelSource.ModelDownloadConditions = ModelDownloadConditions()) async throws -> CustomModel
    public func listDownloadedModels() async throws -> Set<CustomModel>
    public func deleteDownloadedModel(name modelName: String) async throws
}
extension ModelDownloader {
    public func state(ofModel modelName: String) -> ModelState
    public func observeState(ofModel modelName: String, using change: @escaping (ModelState) -> Void) -> ModelStateObservation
    public func states(ofModel modelName: String) -> AsyncStream<ModelState>
    public func keepUpdated(name modelName: String, every seconds: Double, conditions: HearthModelSource.ModelDownloadConditions = ModelDownloadConditions(), requiringExternalPower: Bool = false) -> ModelRefresh
    public func reject(_ model: CustomModel, reason: String)
}
final public class ModelManager : NSObject, Sendable {
    public class func modelManager() -> ModelManager
    public class func modelManager(app: HearthApp.FirebaseApp) -> ModelManager
    public func isModelDownloaded(_ remoteModel: HearthModelSource.RemoteModel) -> Bool
    @discardableResult
    public func download(_ remoteModel: HearthModelSource.RemoteModel, conditions: HearthModelSource.ModelDownloadConditions) -> Progress
    @discardableResult
    public func download(_ remoteModel: HearthModelSource.RemoteModel) -> Progress
    public func deleteDownloadedModel(_ remoteModel: HearthModelSource.RemoteModel, completion: @escaping ((any Error)?) -> Void)
    public func deleteDownloadedModel(_ remoteModel: HearthModelSource.RemoteModel) async throws
    public func getLatestModelFilePath(_ remoteModel: HearthModelSource.RemoteModel, completion: @escaping (String?, (any Error)?) -> Void)
    @discardableResult
    public func getLatestModelFilePath(_ remoteModel: HearthModelSource.RemoteModel) async throws -> String
}
final public class ModelRefresh : Sendable {
    deinit
    public func cancel()
}
public enum ModelState : Sendable, Equatable {
    case absent
    case downloading(fraction: Float)
    case ready(CustomModel)
    case updating(CustomModel, fraction: Float)
    case failed(DownloadFailure, installed: CustomModel?)
    public var model: CustomModel? { get }
}
final public class ModelStateObservation : Sendable {
    deinit
    public func cancel()
}
public struct SystemConditions : DeviceConditions {
    public init()
    public var isConnectionMetered: Bool? { get }
    public var isOnExternalPower: Bool? { get }
}
extension NSNotification.Name {
    public static let firebaseMLModelDownloadDidSucceed: NSNotification.Name
    public static let firebaseMLModelDownloadDidFail: NSNotification.Name
    public static let mlkitModelDownloadDidSucceed: NSNotification.Name
    public static let mlkitModelDownloadDidFail: NSNotification.Name
    public static var mlkitMLModelDownloadDidSucceed: NSNotification.Name { get }
    public static var mlkitMLModelDownloadDidFail: NSNotification.Name { get }
}
