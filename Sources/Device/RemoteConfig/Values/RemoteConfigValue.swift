public import Foundation

/// One parameter's value: a text, which can be read as other types. Use it from any thread. Open for the mocks of apps'
/// tests.
///
/// `@unchecked Sendable`: the stored properties here never change; a subclass is responsible for its own.
open class RemoteConfigValue: NSObject, NSCopying, @unchecked Sendable, OptionalRemoteConfigText {
    private let bytes: Data
    private let origin: RemoteConfigSource

    /// The empty value, for mocks.
    public override init() {
        bytes = Data()
        origin = .static
    }

    /// A value with these bytes, for apps' tests. Hearth's addition.
    public init(dataValue: Data, source: RemoteConfigSource) {
        bytes = dataValue
        origin = source
    }

    /// The text's bytes.
    open var dataValue: Data { bytes }

    /// The source of the value.
    open var source: RemoteConfigSource { origin }

    /// The text; empty when the bytes are not UTF-8.
    open var stringValue: String { String(data: dataValue, encoding: .utf8) ?? "" }

    /// The number at the beginning of the text, otherwise 0.
    open var numberValue: NSNumber { NSNumber(value: ConfigText.number(stringValue)) }

    /// True for texts that begin with Y, y, T, t or, after a sign and zeros, a digit from 1 to 9.
    open var boolValue: Bool { ConfigText.isTrue(stringValue) }

    /// The text as a JSON dictionary (`[String: AnyHashable]`) or array (`[AnyHashable]`); nil for other texts. Both
    /// `as? Int` and `as? Double` find numbers in it that fit; null is `NSNull`. On Linux, a dictionary with numbers
    /// does not equal a literal of the same content; as `NSDictionary` they are equal.
    open var jsonValue: Any? { HashableJSON.container(dataValue) }

    /// A text with the value's readings and its source.
    open override var debugDescription: String {
        "Boolean: \(boolValue), String: \(stringValue), Number: \(numberValue), Source: \(source.rawValue)"
    }

    /// Returns the same object, which never changes.
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

/// The source of a value.
public enum RemoteConfigSource: Int, Sendable {
    /// The server, activated on this device.
    case remote = 0
    /// The app's own defaults.
    case `default` = 1
    /// Neither of them has a value: empty, 0 and false.
    case `static` = 2
}

/// JSON whose arrays and objects are hashable at every level, so that casts to `[String: AnyHashable]` succeed as on
/// phones. On Linux, Foundation's own results are `[Any]` and `[String: Any]`, which no cast makes hashable.
enum HashableJSON {
    /// `[String: AnyHashable]` or `[AnyHashable]`; nil for everything else.
    static func container(_ text: Data) -> Any? {
        switch try? JSONSerialization.jsonObject(with: text) {
        case let object as [String: Any]: object.mapValues(value)
        case let array as [Any]: array.map(value)
        default: nil
        }
    }

    private static func value(_ value: Any) -> AnyHashable {
        switch value {
        case let object as [String: Any]: object.mapValues { self.value($0) }
        case let array as [Any]: array.map { self.value($0) }
        case let text as String: text
        case let number as NSNumber: hashableNumber(number)
        default: NSNull()
        }
    }

    /// Keeps a number as an `NSNumber`, which both `as? Int` and `as? Double` find: a template may change from 0.5 to
    /// 1. A Swift number would equal a literal in either direction, but only a cast to its own type finds it. On Linux,
    /// no type has both properties.
    private static func hashableNumber(_ number: NSNumber) -> AnyHashable {
        let type = number.objCType.pointee
        // A truth value has the type code of a character.
        return type == CChar(UInt8(ascii: "c")) || type == CChar(UInt8(ascii: "B")) ? number.boolValue : number
    }
}
