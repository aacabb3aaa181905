import Foundation

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
        case let number as NSNumber: leaf(number)
        default: NSNull()
        }
    }

    /// A number stays an `NSNumber`, which `as? Int` and `as? Double` find alike: whoever writes a template may change 0.5 to 1. A number
    /// of Swift would equal its literal from either side, but only a cast to its own type finds it. On Linux no form has both.
    private static func leaf(_ number: NSNumber) -> AnyHashable {
        let type = number.objCType.pointee
        // A truth value says that it is a character.
        return type == CChar(UInt8(ascii: "c")) || type == CChar(UInt8(ascii: "B")) ? number.boolValue : number
    }
}
