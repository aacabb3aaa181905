public import Foundation

/// An error type that represents the `NSError`s of one domain, as Swift on phones makes it from an error enumeration of
/// Objective-C. Hearth's addition; apps should not conform to it.
///
/// Hearth throws the `NSError`s themselves, so that `catch let error as NSError` finds them on Linux too. This type is
/// another view of them: `error as? RemoteConfigError` works, and so does `catch RemoteConfigError.throttled`.
public protocol NSErrorWrapper: CustomNSError, LocalizedError, Hashable, Sendable, _ObjectiveCBridgeable
where _ObjectiveCType == NSError {
    /// The error codes of the domain.
    associatedtype Code: RawRepresentable, Sendable where Code.RawValue == Int

    /// The code for errors of another number or domain.
    static var fallbackCode: Code { get }

    /// The represented error.
    var _nsError: NSError { get }

    /// Represents an error, which should be of this type's domain.
    init(_nsError error: NSError)
}

extension NSErrorWrapper {
    /// Makes an error of this domain, for tests and mocks.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.init(_nsError: NSError(domain: Self.errorDomain, code: code.rawValue, userInfo: userInfo))
    }

    /// What went wrong.
    public var code: Code {
        guard _nsError.domain == Self.errorDomain else { return Self.fallbackCode }
        return Code(rawValue: _nsError.code) ?? Self.fallbackCode
    }

    /// The error's further details.
    public var userInfo: [String: Any] { _nsError.userInfo }

    /// The number of the error's code.
    public var errorCode: Int { _nsError.code }
    /// The details of the `NSError` that this error becomes: ``userInfo``.
    public var errorUserInfo: [String: Any] { _nsError.userInfo }
    /// The error's `localizedDescription`.
    public var errorDescription: String? { _nsError.localizedDescription }
    /// The error's `localizedFailureReason`.
    public var failureReason: String? { _nsError.localizedFailureReason }
    /// The error's `localizedRecoverySuggestion`.
    public var recoverySuggestion: String? { _nsError.localizedRecoverySuggestion }

    /// Whether the represented errors are equal.
    public static func == (left: Self, right: Self) -> Bool { left._nsError.isEqual(right._nsError) }

    /// Uses domain and number, because the hash of an `NSError` itself stops the process on Linux.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(_nsError.domain)
        hasher.combine(_nsError.code)
    }

    /// Whether an error has this domain and this code.
    package static func matches(_ code: Code, _ error: any Error) -> Bool {
        let error = error as NSError
        return error.domain == errorDomain && error.code == code.rawValue
    }
}

// Casts such as `error as? RemoteConfigError` use these methods.
extension NSErrorWrapper {
    /// The represented error.
    public func _bridgeToObjectiveC() -> NSError { _nsError }

    /// Represents `source`, for a cast that must succeed.
    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout Self?) {
        result = Self(_nsError: source)
    }

    /// Represents `source` if it is of this domain.
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout Self?) -> Bool {
        guard source.domain == errorDomain else { return false }
        result = Self(_nsError: source)
        return true
    }

    /// Represents `source`; without one, an error with the fallback code.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> Self {
        Self(_nsError: source ?? NSError(domain: errorDomain, code: fallbackCode.rawValue))
    }
}
