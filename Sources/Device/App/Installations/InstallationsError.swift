public import Foundation

/// The domain of the errors of ``Installations``.
public let InstallationsErrorDomain: String = "com.firebase.installations"

/// Why there is no installation id or token. Hearth throws an `NSError` of this domain, and `catch
/// InstallationsErrorCode.serverUnreachable` matches it.
public struct InstallationsErrorCode: NSErrorWrapper {
    /// The error codes of the domain.
    public enum Code: Int, Sendable {
        /// The server refused, or its answer was malformed.
        case unknown = 0
        /// The app's folder cannot be read or written.
        case keychain = 1
        /// The server cannot be reached, or a backoff is running.
        case serverUnreachable = 2
        /// The app's options lack the project, the key or the server's address.
        case invalidConfiguration = 3

        /// The error type of these codes.
        public typealias _ErrorType = InstallationsErrorCode

        /// Whether an error has this domain and this code, for `catch`.
        public static func ~= (code: Code, error: any Error) -> Bool { InstallationsErrorCode.matches(code, error) }
    }

    /// ``InstallationsErrorDomain``.
    public static var errorDomain: String { InstallationsErrorDomain }
    /// The code for errors of another number or domain.
    public static var fallbackCode: Code { .unknown }

    /// The error that was thrown.
    public let _nsError: NSError

    /// Represents an error of this domain.
    public init(_nsError error: NSError) { _nsError = error }

    /// ``Code/unknown``, for `catch`.
    public static var unknown: Code { .unknown }
    /// ``Code/keychain``, for `catch`.
    public static var keychain: Code { .keychain }
    /// ``Code/serverUnreachable``, for `catch`.
    public static var serverUnreachable: Code { .serverUnreachable }
    /// ``Code/invalidConfiguration``, for `catch`.
    public static var invalidConfiguration: Code { .invalidConfiguration }

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - details: Follows the reason in the description.
    ///   - underlying: A `TransportError` when there was no answer, an ``InstallationRefusal`` when the server refused.
    static func error(
        _ code: Code, _ reason: String, details: String? = nil, underlying: (any Error)? = nil
    ) -> NSError {
        let description = details.map { "\(reason) \($0)" } ?? reason
        var info: [String: Any] = [NSLocalizedDescriptionKey: description, NSLocalizedFailureReasonErrorKey: reason]
        info[NSUnderlyingErrorKey] = underlying
        return NSError(domain: InstallationsErrorDomain, code: code.rawValue, userInfo: info)
    }
}
