import Foundation

/// JSON whose arrays and objects are hashable all through, so that casts to `[String: AnyHashable]` succeed as on phones. Foundation's
/// own are `[Any]` and `[String: Any]` on Linux, which no cast makes hashable.
struct HashableJSON {
    /// What numbers are. On Linux no form has both: an `NSNumber` is found by `as? Int` and `as? Double` alike, but a literal is not
    /// equal to it; a number of Swift equals its literal, but is found by its own type only.
    enum Numbers {
        case foundation
        case swift
    }

    let numbers: Numbers

    /// `[String: AnyHashable]` or `[AnyHashable]`; nil for everything else.
    func container(_ text: Data) -> Any? {
        switch try? JSONSerialization.jsonObject(with: text) {
        case let object as [String: Any]: object.mapValues(value)
        case let array as [Any]: array.map(value)
        default: nil
        }
    }

    private func value(_ value: Any) -> AnyHashable {
        switch value {
        case let object as [String: Any]: object.mapValues { self.value($0) }
        case let array as [Any]: array.map { self.value($0) }
        case let text as String: text
        case let number as NSNumber: leaf(number)
        default: NSNull()
        }
    }

    private func leaf(_ number: NSNumber) -> AnyHashable {
        let type = number.objCType.pointee
        // A truth value says that it is a character.
        if type == CChar(UInt8(ascii: "c")) || type == CChar(UInt8(ascii: "B")) { return number.boolValue }
        switch numbers {
        case .foundation: return number
        case .swift where type == CChar(UInt8(ascii: "d")): return number.doubleValue
        case .swift:
            guard let whole = Int(exactly: number) else { return number.doubleValue }
            return whole
        }
    }
}
