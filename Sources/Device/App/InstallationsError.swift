import Foundation

public let InstallationsErrorDomain: String = "com.firebase.installations"

/// Why there is no installation id or token. What is thrown is an `NSError` of this domain, and
/// `catch InstallationsErrorCode.serverUnreachable` matches it.
public struct InstallationsErrorCode: Error {
    public enum Code: Int, Sendable {
        case unknown = 0
        case keychain = 1
        case serverUnreachable = 2
        case invalidConfiguration = 3

        public static func ~= (code: Code, error: any Error) -> Bool {
            let error = error as NSError
            return error.domain == InstallationsErrorDomain && error.code == code.rawValue
        }
    }

    public static var unknown: Code { .unknown }
    public static var keychain: Code { .keychain }
    public static var serverUnreachable: Code { .serverUnreachable }
    public static var invalidConfiguration: Code { .invalidConfiguration }

    /// - Parameters:
    ///   - details: What the description adds to the reason.
    ///   - underlying: A `TransportError` when there was no answer, an ``InstallationRefusal`` when it was a refusal.
    static func error(
        _ code: Code, _ reason: String, details: String? = nil, underlying: (any Error)? = nil
    ) -> NSError {
        let description = details.map { "\(reason) \($0)" } ?? reason
        var info: [String: Any] = [NSLocalizedDescriptionKey: description, NSLocalizedFailureReasonErrorKey: reason]
        info[NSUnderlyingErrorKey] = underlying
        return NSError(domain: InstallationsErrorDomain, code: code.rawValue, userInfo: info)
    }
}
