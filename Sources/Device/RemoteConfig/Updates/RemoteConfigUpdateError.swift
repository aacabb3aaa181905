import Foundation

public let RemoteConfigUpdateErrorDomain: String = "com.google.remoteconfig.update.ErrorDomain"

/// Why updates do not come. What a listener gets is an `NSError` of this domain, whose
/// `localizedFailureReason` says more where there is more to say.
public struct RemoteConfigUpdateError: Error {
    public enum Code: Int, Sendable {
        /// There is no connection for updates.
        case streamError = 8001
        /// The server announced a version, but did not serve it.
        case notFetched = 8002
        case messageInvalid = 8003
        /// The server has switched updates off.
        case unavailable = 8004

        public static func ~= (code: Code, error: any Error) -> Bool {
            let error = error as NSError
            return error.domain == RemoteConfigUpdateErrorDomain && error.code == code.rawValue
        }

        var text: String {
            switch self {
            case .streamError: "Unable to connect to the server. Check your connection and try again."
            case .notFetched: "Unable to fetch the latest version of the template."
            case .messageInvalid: "Unable to parse ConfigUpdate."
            case .unavailable: "The server is temporarily unavailable. Try again in a few minutes."
            }
        }
    }

    public static var streamError: Code { .streamError }
    public static var notFetched: Code { .notFetched }
    public static var messageInvalid: Code { .messageInvalid }
    public static var unavailable: Code { .unavailable }

    /// - Parameter reason: What exactly went wrong, for `localizedFailureReason`.
    static func error(_ code: Code, reason: String? = nil) -> NSError {
        var info: [String: Any] = [NSLocalizedDescriptionKey: code.text]
        info[NSLocalizedFailureReasonErrorKey] = reason
        return NSError(domain: RemoteConfigUpdateErrorDomain, code: code.rawValue, userInfo: info)
    }
}
