// The public interface of HearthEvents. Written by scripts/api; do not edit.

final public class Analytics : NSObject, Sendable {
    public class func analytics(app: HearthApp.FirebaseApp) -> Analytics
    public func logEvent(_ name: String, parameters: [String : Any]?)
    public func setAnalyticsCollectionEnabled(_ analyticsCollectionEnabled: Bool)
    public func setModelReportingEnabled(_ modelReportingEnabled: Bool)
    public func appInstanceID() -> String?
    public func resetAnalyticsData()
    public func sendPendingEvents() async throws
}
extension Analytics {
    public class func logEvent(_ name: String, parameters: [String : Any]?)
    public class func setAnalyticsCollectionEnabled(_ analyticsCollectionEnabled: Bool)
    public class func setModelReportingEnabled(_ modelReportingEnabled: Bool)
    public class func appInstanceID() -> String?
    public class func resetAnalyticsData()
    public class func sendPendingEvents() async throws
}
extension Analytics {
    public class func setUserProperty(_ value: String?, forName name: String)
    public class func setUserID(_ userID: String?)
    public class func setSessionTimeoutInterval(_ sessionTimeoutInterval: TimeInterval)
    public class func setDefaultEventParameters(_ parameters: [String : Any]?)
}
public let AnalyticsEventAddToCart: String
public let AnalyticsEventAppOpen: String
public let AnalyticsEventBeginCheckout: String
public let AnalyticsEventJoinGroup: String
public let AnalyticsEventLevelEnd: String
public let AnalyticsEventLevelStart: String
public let AnalyticsEventLevelUp: String
public let AnalyticsEventLogin: String
public let AnalyticsEventPostScore: String
public let AnalyticsEventPurchase: String
public let AnalyticsEventScreenView: String
public let AnalyticsEventSearch: String
public let AnalyticsEventSelectContent: String
public let AnalyticsEventSelectItem: String
public let AnalyticsEventShare: String
public let AnalyticsEventSignUp: String
public let AnalyticsEventTutorialBegin: String
public let AnalyticsEventTutorialComplete: String
public let AnalyticsEventUnlockAchievement: String
public let AnalyticsEventViewItem: String
public let AnalyticsParameterContent: String
public let AnalyticsParameterContentType: String
public let AnalyticsParameterCurrency: String
public let AnalyticsParameterIndex: String
public let AnalyticsParameterItemCategory: String
public let AnalyticsParameterItemID: String
public let AnalyticsParameterItemName: String
public let AnalyticsParameterItems: String
public let AnalyticsParameterLevel: String
public let AnalyticsParameterMethod: String
public let AnalyticsParameterPrice: String
public let AnalyticsParameterQuantity: String
public let AnalyticsParameterScore: String
public let AnalyticsParameterScreenClass: String
public let AnalyticsParameterScreenName: String
public let AnalyticsParameterSearchTerm: String
public let AnalyticsParameterSource: String
public let AnalyticsParameterSuccess: String
public let AnalyticsParameterTransactionID: String
public let AnalyticsParameterValue: String
public struct EventsError : LocalizedError, Sendable, CustomStringConvertible {
    public struct Code : RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String)
        public static let notConfigured: EventsError.Code
        public static let appDeleted: EventsError.Code
        public static let busy: EventsError.Code
        public static let unreachable: EventsError.Code
        public static let refused: EventsError.Code
        public static let storage: EventsError.Code
    }
    public let code: EventsError.Code
    public let message: String
    public var description: String { get }
    public var errorDescription: String? { get }
    public let cause: (any Error)?
}
public var AnalyticsParameterValue: String
public var AnalyticsParameterContent: String
public var AnalyticsParameterContentType: String
public var AnalyticsParameterCurrency: String
public var AnalyticsParameterIndex: String
public var AnalyticsParameterItemCategory: String
public var AnalyticsParameterItemID: String
public var AnalyticsParameterItemName: String
public var AnalyticsParameterItems: String
public var AnalyticsParameterLevel: String
public var AnalyticsParameterMethod: String
public var AnalyticsParameterPrice: String
public var AnalyticsParameterQuantity: String
public var AnalyticsParameterScore: String
public var AnalyticsParameterScreenClass: String
public var AnalyticsParameterScreenName: String
public var AnalyticsParameterSearchTerm: String
public var AnalyticsParameterSource: String
public var AnalyticsParameterSuccess: String
public var AnalyticsParameterTransactionID: String
public var AnalyticsEventAddToCart: String
public var AnalyticsEventAppOpen: String
public var AnalyticsEventBeginCheckout: String
public var AnalyticsEventJoinGroup: String
public var AnalyticsEventLevelEnd: String
public var AnalyticsEventLevelStart: String
public var AnalyticsEventLevelUp: String
public var AnalyticsEventLogin: String
public var AnalyticsEventPostScore: String
public var AnalyticsEventPurchase: String
public var AnalyticsEventScreenView: String
public var AnalyticsEventSearch: String
public var AnalyticsEventSelectContent: String
public var AnalyticsEventSelectItem: String
public var AnalyticsEventShare: String
public var AnalyticsEventSignUp: String
public var AnalyticsEventTutorialBegin: String
public var AnalyticsEventTutorialComplete: String
public var AnalyticsEventUnlockAchievement: String
public var AnalyticsEventViewItem: String
