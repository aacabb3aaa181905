public import Foundation
public import HearthApp

/// The domain of the errors that listeners to updates get.
public let RemoteConfigUpdateErrorDomain: String = "com.google.remoteconfig.update.ErrorDomain"

/// Why updates do not arrive. A listener gets an `NSError` of this domain, whose `localizedFailureReason` has further
/// details if there are any.
public struct RemoteConfigUpdateError: NSErrorWrapper {
    /// The error codes of the domain.
    public enum Code: Int, Sendable {
        /// There is no connection for updates.
        case streamError = 8001
        /// The server announced a version, but did not serve it.
        case notFetched = 8002
        /// The server's announcement is not readable.
        case messageInvalid = 8003
        /// The server has disabled updates.
        case unavailable = 8004

        /// The error type of these codes.
        public typealias _ErrorType = RemoteConfigUpdateError

        /// Whether an error has this domain and this code, for `catch`.
        public static func ~= (code: Code, error: any Error) -> Bool { RemoteConfigUpdateError.matches(code, error) }

        var text: String {
            switch self {
            case .streamError: "Unable to connect to the server. Check your connection and try again."
            case .notFetched: "Unable to fetch the latest version of the template."
            case .messageInvalid: "Unable to parse ConfigUpdate."
            case .unavailable: "The server is temporarily unavailable. Try again in a few minutes."
            }
        }
    }

    /// ``RemoteConfigUpdateErrorDomain``.
    public static var errorDomain: String { RemoteConfigUpdateErrorDomain }
    /// The code for errors of another number or domain.
    public static var fallbackCode: Code { .streamError }

    /// The error that the listener got.
    public let _nsError: NSError

    /// Represents an error of this domain.
    public init(_nsError error: NSError) { _nsError = error }

    /// ``Code/streamError``, for `catch`.
    public static var streamError: Code { .streamError }
    /// ``Code/notFetched``, for `catch`.
    public static var notFetched: Code { .notFetched }
    /// ``Code/messageInvalid``, for `catch`.
    public static var messageInvalid: Code { .messageInvalid }
    /// ``Code/unavailable``, for `catch`.
    public static var unavailable: Code { .unavailable }

    /// Makes an error.
    ///
    /// - Parameter reason: The details, for `localizedFailureReason`.
    static func error(_ code: Code, reason: String? = nil, underlying: (any Error)? = nil) -> NSError {
        var info: [String: Any] = [NSLocalizedDescriptionKey: code.text]
        info[NSLocalizedFailureReasonErrorKey] = reason
        info[NSUnderlyingErrorKey] = underlying
        return NSError(domain: RemoteConfigUpdateErrorDomain, code: code.rawValue, userInfo: info)
    }
}
