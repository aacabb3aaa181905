public import Foundation

/// One parameter's value: a text, and what it reads as. Use it from any thread. Open for the mocks of apps' tests.
///
/// `@unchecked Sendable`: what is stored here never changes; a subclass answers for what it adds.
open class RemoteConfigValue: NSObject, NSCopying, @unchecked Sendable, OptionalRemoteConfigText {
    private let bytes: Data
    private let origin: RemoteConfigSource

    /// The empty value, for mocks.
    public override init() {
        bytes = Data()
        origin = .static
    }

    /// A value by its text's bytes, for apps' tests. Hearth's addition.
    public init(dataValue: Data, source: RemoteConfigSource) {
        bytes = dataValue
        origin = source
    }

    /// The text's bytes.
    open var dataValue: Data { bytes }

    /// Where the value comes from.
    open var source: RemoteConfigSource { origin }

    /// Empty where the value is no UTF-8.
    open var stringValue: String { String(data: dataValue, encoding: .utf8) ?? "" }

    /// The number that the text begins with, else 0.
    open var numberValue: NSNumber { NSNumber(value: ConfigText.number(stringValue)) }

    /// True for texts that begin with Y, y, T, t or, after a sign and zeros, a digit from 1 to 9.
    open var boolValue: Bool { ConfigText.isTrue(stringValue) }

    /// The dictionary (`[String: AnyHashable]`) or array (`[AnyHashable]`) that the text is as JSON; nil when it is none. Numbers in it
    /// are found by `as? Int` and `as? Double` alike where they fit, null is `NSNull`. On Linux a dictionary with numbers does not equal a
    /// literal of the same content; as `NSDictionary` they are equal.
    open var jsonValue: Any? { HashableJSON.container(dataValue) }

    open override var debugDescription: String {
        "Boolean: \(boolValue), String: \(stringValue), Number: \(numberValue), Source: \(source.rawValue)"
    }

    /// The same object, which never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// For apps written when ``RemoteConfigValue/stringValue`` was an optional: `if let` and `??` still compile.
public protocol OptionalRemoteConfigText {
    /// The text's bytes.
    var dataValue: Data { get }
}

extension OptionalRemoteConfigText {
    /// The text; never nil.
    public var stringValue: String? { String(data: dataValue, encoding: .utf8) ?? "" }
}
