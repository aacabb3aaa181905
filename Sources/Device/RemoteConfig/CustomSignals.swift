public import Foundation
public import HearthApp

extension RemoteConfig {
    /// Sets signals, which the server's conditions can use from the next fetch on; nil removes a signal. The app's
    /// folder stores them.
    ///
    /// - Throws: `NSError` in ``RemoteConfigCustomSignalsErrorDomain`` for more than 100 signals, keys longer than 250
    ///   characters, texts longer than 500 and numbers that are not finite; nothing changes then.
    public func setCustomSignals(_ customSignals: [String: CustomSignalValue?]) async throws {
        try await withCheckedThrowingContinuation { continuation in
            core.setSignals(customSignals) { continuation.resume(with: $0) }
        }
    }
}

/// A value that an app sets for the conditions of a template: a text or a number.
public struct CustomSignalValue: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case text(String)
        case integer(Int)
        case double(Double)
    }

    let kind: Kind

    /// A text of at most 500 characters.
    public static func string(_ text: String) -> Self { Self(kind: .text(text)) }
    /// A whole number.
    public static func integer(_ number: Int) -> Self { Self(kind: .integer(number)) }
    /// A finite number.
    public static func double(_ number: Double) -> Self { Self(kind: .double(number)) }
}

extension CustomSignalValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// A text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A whole number.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// A number.
    public init(floatLiteral value: Double) { self = .double(value) }
}

/// The domain of the errors of setting custom signals.
public let RemoteConfigCustomSignalsErrorDomain: String = "com.google.remoteconfig.customsignals.ErrorDomain"

/// Why custom signals were refused. Hearth throws an `NSError` of this domain.
public struct RemoteConfigCustomSignalsError: NSErrorWrapper {
    /// The error codes of the domain.
    public enum Code: Int, Sendable {
        /// Hearth does not use it; kept for existing apps.
        case unknown = 8101
        /// A number is not finite.
        case invalidValueType = 8102
        /// A key or a text is too long, or there are too many signals.
        case limitExceeded = 8103

        /// The error type of these codes.
        public typealias _ErrorType = RemoteConfigCustomSignalsError

        /// Whether an error has this domain and this code, for `catch`.
        public static func ~= (code: Code, error: any Error) -> Bool {
            RemoteConfigCustomSignalsError.matches(code, error)
        }
    }

    /// ``RemoteConfigCustomSignalsErrorDomain``.
    public static var errorDomain: String { RemoteConfigCustomSignalsErrorDomain }
    /// The code for errors of another number or domain.
    public static var fallbackCode: Code { .unknown }

    /// The error that was thrown.
    public let _nsError: NSError

    /// Represents an error of this domain.
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
