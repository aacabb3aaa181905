public import Foundation

/// An error type that stands for the `NSError`s of one domain, as Swift on phones makes it of an error enumeration of Objective-C.
/// Hearth's addition; not for apps to conform to.
///
/// What Hearth throws are the `NSError`s themselves, so that `catch let error as NSError` finds them on Linux too. This type
/// is another view of them: `error as? RemoteConfigError` works, and so does `catch RemoteConfigError.throttled`.
public protocol NSErrorWrapper: CustomNSError, LocalizedError, Hashable, Sendable, _ObjectiveCBridgeable
where _ObjectiveCType == NSError {
    /// The numbers of the domain.
    associatedtype Code: RawRepresentable, Sendable where Code.RawValue == Int

    /// What an error of another number, or of another domain, counts as.
    static var fallbackCode: Code { get }

    /// The error that this one stands for.
    var _nsError: NSError { get }

    /// Stands for an error, which should be of this type's domain.
    init(_nsError error: NSError)
}

extension NSErrorWrapper {
    /// An error of this domain, for tests and mocks.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.init(_nsError: NSError(domain: Self.errorDomain, code: code.rawValue, userInfo: userInfo))
    }

    /// What went wrong.
    public var code: Code {
        guard _nsError.domain == Self.errorDomain else { return Self.fallbackCode }
        return Code(rawValue: _nsError.code) ?? Self.fallbackCode
    }

    /// What else is told about it.
    public var userInfo: [String: Any] { _nsError.userInfo }

    public var errorCode: Int { _nsError.code }
    public var errorUserInfo: [String: Any] { _nsError.userInfo }
    public var errorDescription: String? { _nsError.localizedDescription }
    public var failureReason: String? { _nsError.localizedFailureReason }
    public var recoverySuggestion: String? { _nsError.localizedRecoverySuggestion }

    public static func == (left: Self, right: Self) -> Bool { left._nsError.isEqual(right._nsError) }

    /// By domain and number: the hash of an `NSError` itself stops the process on Linux.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(_nsError.domain)
        hasher.combine(_nsError.code)
    }

    /// Whether an error is one of this domain with that code.
    package static func matches(_ code: Code, _ error: any Error) -> Bool {
        let error = error as NSError
        return error.domain == errorDomain && error.code == code.rawValue
    }
}

// What a cast from an `NSError` goes through: `error as? RemoteConfigError`.
extension NSErrorWrapper {
    public func _bridgeToObjectiveC() -> NSError { _nsError }

    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout Self?) {
        result = Self(_nsError: source)
    }

    public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout Self?) -> Bool {
        guard source.domain == errorDomain else { return false }
        result = Self(_nsError: source)
        return true
    }

    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> Self {
        Self(_nsError: source ?? NSError(domain: errorDomain, code: fallbackCode.rawValue))
    }
}
