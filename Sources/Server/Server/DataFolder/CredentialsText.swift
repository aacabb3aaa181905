import Foundation
import HearthWire

/// The text of a property list. One value can be replaced; every other byte stays.
struct PropertyListText {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The list with another string under `key`. If the place is not found in the text, as in the binary form, the whole list is
    /// written again in the same form, with every entry.
    ///
    /// - Parameter list: the parsed text.
    func setting(_ key: String, to value: String, of list: [String: Any]) throws -> [UInt8] {
        var changed = list
        changed[key] = value
        if let text = replacing(key, with: value),
            Self.list(text).map(NSDictionary.init(dictionary:)) == NSDictionary(dictionary: changed)
        {
            return text
        }
        var format = PropertyListSerialization.PropertyListFormat.xml
        _ = try PropertyListSerialization.propertyList(from: Data(bytes), format: &format)
        return Array(try PropertyListSerialization.data(fromPropertyList: changed, format: format, options: 0))
    }

    private static func list(_ bytes: [UInt8]) -> [String: Any]? {
        (try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil)) as? [String: Any]
    }

    private func replacing(_ key: String, with value: String) -> [UInt8]? {
        let text = String(decoding: bytes, as: UTF8.self)
        guard Array(text.utf8) == bytes, let name = text.range(of: "<key>\(key)</key>"),
            let start = text.range(of: "<string>", range: name.upperBound..<text.endIndex),
            text[name.upperBound..<start.lowerBound].allSatisfy(\.isWhitespace),
            let end = text.range(of: "</string>", range: start.upperBound..<text.endIndex)
        else { return nil }
        return Array(text.replacingCharacters(in: start.upperBound..<end.lowerBound, with: Self.escaped(value)).utf8)
    }

    private static func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: ">", with: "&gt;")
    }
}
