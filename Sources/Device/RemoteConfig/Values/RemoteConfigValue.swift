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

/// Where a value comes from.
public enum RemoteConfigSource: Int, Sendable {
    /// The server, activated on this device.
    case remote = 0
    /// The app's own defaults.
    case `default` = 1
    /// Neither has one: empty, 0 and false.
    case `static` = 2
}

/// What a text reads as, by the rules that Foundation has on phones. Pure.
enum ConfigText {
    /// 0 for texts that begin with no number.
    static func number(_ text: String) -> Double {
        let bytes = Array(text.utf8.drop(while: isSpace).prefix(longestNumberBytes))
        guard let end = endOfNumber(bytes) else { return 0 }
        return Double(String(decoding: bytes[..<end], as: UTF8.self)) ?? 0
    }

    static func isTrue(_ text: String) -> Bool {
        var bytes = text.utf8.drop(while: isSpace)
        if bytes.first == UInt8(ascii: "+") || bytes.first == UInt8(ascii: "-") { bytes = bytes.dropFirst() }
        guard let first = bytes.drop(while: { $0 == UInt8(ascii: "0") }).first else { return false }
        return isDigit(first) || "YyTt".utf8.contains(first)
    }

    /// The whole number nearest to the text's towards 0; the type's limits where it is beyond them.
    static func integer<Integer: FixedWidthInteger>(_ text: String, as type: Integer.Type = Integer.self) -> Integer {
        // Doubles do not hold every long number.
        if let exact = Integer(text) { return exact }
        let number = number(text)
        if number.isNaN { return 0 }
        return Integer(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max)
    }

    private static let longestNumberBytes = 400

    /// Behind the digits, the fraction and the exponent that the bytes begin with; nil when they begin with no digit.
    private static func endOfNumber(_ bytes: [UInt8]) -> Int? {
        var end = skipSign(bytes, from: 0)
        let whole = skipDigits(bytes, from: end)
        var digitCount = whole - end
        end = whole
        if end < bytes.count, bytes[end] == UInt8(ascii: ".") {
            let fraction = skipDigits(bytes, from: end + 1)
            digitCount += fraction - end - 1
            end = fraction > end + 1 ? fraction : end
        }
        guard digitCount > 0 else { return nil }
        guard end < bytes.count, bytes[end] | 0x20 == UInt8(ascii: "e") else { return end }
        let exponent = skipSign(bytes, from: end + 1)
        let behind = skipDigits(bytes, from: exponent)
        return behind > exponent ? behind : end
    }

    private static func skipSign(_ bytes: [UInt8], from start: Int) -> Int {
        guard start < bytes.count else { return start }
        return bytes[start] == UInt8(ascii: "-") || bytes[start] == UInt8(ascii: "+") ? start + 1 : start
    }

    private static func skipDigits(_ bytes: [UInt8], from start: Int) -> Int {
        guard start < bytes.count else { return start }
        return bytes[start...].firstIndex { !isDigit($0) } ?? bytes.count
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}

/// JSON whose arrays and objects are hashable all through, so that casts to `[String: AnyHashable]` succeed as on phones. Foundation's
/// own are `[Any]` and `[String: Any]` on Linux, which no cast makes hashable.
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

    /// A number stays an `NSNumber`, which `as? Int` and `as? Double` find alike: whoever writes a template may change 0.5 to 1. A number
    /// of Swift would equal its literal from either side, but only a cast to its own type finds it. On Linux no form has both.
    private static func hashableNumber(_ number: NSNumber) -> AnyHashable {
        let type = number.objCType.pointee
        // A truth value says that it is a character.
        return type == CChar(UInt8(ascii: "c")) || type == CChar(UInt8(ascii: "B")) ? number.boolValue : number
    }
}
