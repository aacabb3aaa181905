import Foundation

public let RemoteConfigCustomSignalsErrorDomain: String = "com.google.remoteconfig.customsignals.ErrorDomain"

/// Why custom signals were refused. What is thrown is an `NSError` of this domain.
public struct RemoteConfigCustomSignalsError: Error {
    public enum Code: Int, Sendable {
        case unknown = 8101
        /// A number that is none.
        case invalidValueType = 8102
        /// A key or a text is too long, or there are too many signals.
        case limitExceeded = 8103

        public static func ~= (code: Code, error: any Error) -> Bool {
            let error = error as NSError
            return error.domain == RemoteConfigCustomSignalsErrorDomain && error.code == code.rawValue
        }
    }

    public static var unknown: Code { .unknown }
    public static var invalidValueType: Code { .invalidValueType }
    public static var limitExceeded: Code { .limitExceeded }

    static func error(_ code: Code, _ text: String) -> NSError {
        NSError(
            domain: RemoteConfigCustomSignalsErrorDomain, code: code.rawValue,
            userInfo: [NSLocalizedDescriptionKey: text])
    }
}
