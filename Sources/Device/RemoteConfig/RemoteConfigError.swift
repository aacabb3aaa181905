import Foundation
import HearthWire

public let RemoteConfigErrorDomain: String = "com.google.remoteconfig.ErrorDomain"
/// When fetching is possible again, in seconds since 1970: a number in the `userInfo` of a throttled fetch's error.
public let RemoteConfigThrottledEndTimeInSecondsKey: String = "error_throttled_end_time_seconds"

/// Why a fetch failed. What is thrown is an `NSError` of this domain, and `catch RemoteConfigError.throttled` matches it.
public struct RemoteConfigError: Error {
    public enum Code: Int, Sendable {
        case unknown = 8001
        /// The server asked for a pause, which has not passed.
        case throttled = 8002
        case internalError = 8003

        public static func ~= (code: Code, error: any Error) -> Bool {
            let error = error as NSError
            return error.domain == RemoteConfigErrorDomain && error.code == code.rawValue
        }
    }

    public static var unknown: Code { .unknown }
    public static var throttled: Code { .throttled }
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
                    "The server is busy and asked for a pause; fetch again after \(end.rfc3339(fractionDigits: 0)).",
                RemoteConfigThrottledEndTimeInSecondsKey: NSNumber(value: Double(end.microseconds) / 1_000_000),
            ])
    }

    static func status(_ status: Int, _ message: String?) -> NSError {
        error(.internalError, "Internal Error. Status code: \(status)\(message.map { ". \($0)" } ?? "")")
    }
}
