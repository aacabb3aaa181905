public import Foundation
public import HearthApp

/// The domain of the errors of setting custom signals.
public let RemoteConfigCustomSignalsErrorDomain: String = "com.google.remoteconfig.customsignals.ErrorDomain"

/// Why custom signals were refused. What is thrown is an `NSError` of this domain.
public struct RemoteConfigCustomSignalsError: NSErrorWrapper {
    /// The numbers of the domain.
    public enum Code: Int, Sendable {
        /// Not used here; kept for existing apps.
        case unknown = 8101
        /// A number that is none.
        case invalidValueType = 8102
        /// A key or a text is too long, or there are too many signals.
        case limitExceeded = 8103

        public typealias _ErrorType = RemoteConfigCustomSignalsError

        /// Whether an error is one of this domain with this code, for `catch`.
        public static func ~= (code: Code, error: any Error) -> Bool {
            RemoteConfigCustomSignalsError.matches(code, error)
        }
    }

    /// ``RemoteConfigCustomSignalsErrorDomain``.
    public static var errorDomain: String { RemoteConfigCustomSignalsErrorDomain }
    /// What an error of another number or domain counts as.
    public static var codeOfOthers: Code { .unknown }

    /// The error that was thrown.
    public let _nsError: NSError

    /// Stands for an error of this domain.
    public init(_nsError error: NSError) { _nsError = error }

    /// ``Code/unknown``, for `catch`.
    public static var unknown: Code { .unknown }
    /// ``Code/invalidValueType``, for `catch`.
    public static var invalidValueType: Code { .invalidValueType }
    /// ``Code/limitExceeded``, for `catch`.
    public static var limitExceeded: Code { .limitExceeded }

    static func error(_ code: Code, _ text: String) -> NSError {
        NSError(
            domain: RemoteConfigCustomSignalsErrorDomain, code: code.rawValue,
            userInfo: [NSLocalizedDescriptionKey: text])
    }
}
