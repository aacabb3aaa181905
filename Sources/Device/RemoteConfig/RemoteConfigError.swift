public import Foundation
public import HearthApp
import HearthWire

/// The domain of the errors of fetching and activating.
public let RemoteConfigErrorDomain: String = "com.google.remoteconfig.ErrorDomain"
/// The key of the time when fetching is possible again: a number of seconds since 1970, in the `userInfo` of a
/// throttled fetch's error.
public let RemoteConfigThrottledEndTimeInSecondsKey: String = "error_throttled_end_time_seconds"

/// Why a fetch failed. Hearth throws an `NSError` of this domain; `catch RemoteConfigError.throttled` matches it, and
/// `error as? RemoteConfigError` finds it.
public struct RemoteConfigError: NSErrorWrapper {
    /// The error codes of the domain.
    public enum Code: Int, Sendable {
        /// Hearth does not use it; kept for existing apps.
        case unknown = 8001
        /// The server asked for a backoff, which is running.
        case throttled = 8002
        /// Any other failure: no connection, a refusal, a malformed response. The text says which.
        case internalError = 8003

        /// The error type of these codes.
        public typealias _ErrorType = RemoteConfigError

        /// Whether an error has this domain and this code, for `catch`.
        public static func ~= (code: Code, error: any Error) -> Bool { RemoteConfigError.matches(code, error) }
    }

    /// ``RemoteConfigErrorDomain``.
    public static var errorDomain: String { RemoteConfigErrorDomain }
    /// The code for errors of another number or domain.
    public static var fallbackCode: Code { .unknown }

    /// The error that was thrown.
    public let _nsError: NSError

    /// Represents an error of this domain.
    public init(_nsError error: NSError) { _nsError = error }

    /// ``Code/unknown``, for `catch`.
    public static var unknown: Code { .unknown }
    /// ``Code/throttled``, for `catch`.
    public static var throttled: Code { .throttled }
    /// ``Code/internalError``, for `catch`.
    public static var internalError: Code { .internalError }

    static func error(_ code: Code, _ text: String, underlying: (any Error)? = nil) -> NSError {
        var info: [String: Any] = [NSLocalizedDescriptionKey: text]
        info[NSUnderlyingErrorKey] = underlying
        return NSError(domain: RemoteConfigErrorDomain, code: code.rawValue, userInfo: info)
    }

    static func throttled(until end: Timestamp) -> NSError {
        NSError(
            domain: RemoteConfigErrorDomain, code: Code.throttled.rawValue,
            userInfo: [
                NSLocalizedDescriptionKey:
                    "The server is throttling this app; fetch again after \(end.rfc3339(fractionDigits: 0)).",
                RemoteConfigThrottledEndTimeInSecondsKey: NSNumber(value: Double(end.microseconds) / 1_000_000),
            ])
    }

    static func status(_ status: Int, _ message: String?) -> NSError {
        error(.internalError, "Internal Error. Status code: \(status)\(message.map { ". \($0)" } ?? "")")
    }
}
