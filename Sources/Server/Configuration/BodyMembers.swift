import Foundation

/// The members of a device's body, read from the three shapes that clients really send: JSON in camelCase, JSON in
/// snake_case, and an object that looks like JSON with bare keys and texts in single quotes.
struct BodyMembers {
    enum Member: Sendable, Hashable {
        case text(String)
        case object([String: String])
    }

    /// By their names in lower case without underscores: `app_instance_id` and `appInstanceId` are one name.
    private let named: [String: Member]

    /// Nil where the bytes are none of the three shapes.
    init?(_ bytes: [UInt8]) {
        guard let members = Self.members(bytes) else { return nil }
        named = Dictionary(
            members.map { (Self.folded($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    private static func folded(_ name: String) -> String {
        let bytes = name.utf8.filter { $0 != UInt8(ascii: "_") }
        return String(decoding: bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    /// Numbers and truth values as text.
    func text(_ name: String) -> String? {
        if case .text(let text) = named[name] { text } else { nil }
    }

    func texts(_ name: String) -> [String: String] {
        if case .object(let object) = named[name] { object } else { [:] }
    }

    private static func members(_ bytes: [UInt8]) -> [String: Member]? {
        (hasBareName(bytes) ? nil : json(bytes)) ?? LooseObject.read(bytes)
    }

    /// Whether the bytes are no JSON at first sight, so that nobody need read on to find out.
    private static func hasBareName(_ bytes: [UInt8]) -> Bool {
        let marks = bytes.lazy.filter { $0 > 0x20 }.prefix(2).map { Unicode.Scalar($0) }
        return marks.first == "{" && marks.last.map { $0 != "\"" && $0 != "}" } ?? false
    }

    static func json(_ bytes: [UInt8]) -> [String: Member]? { PlainObject.read(bytes) ?? anyJSON(bytes) }

    private static func anyJSON(_ bytes: [UInt8]) -> [String: Member]? {
        guard let object = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] else { return nil }
        return object.compactMapValues { value in
            if let inner = value as? [String: Any] { return .object(inner.compactMapValues(plain)) }
            return plain(value).map(Member.text)
        }
    }

    private static func plain(_ value: Any) -> String? {
        if let text = value as? String { return text }
        guard let number = value as? NSNumber else { return nil }
        // A truth value is a number to Foundation.
        return isTruthValue(number) ? (number.boolValue ? "true" : "false") : number.stringValue
    }

    private static func isTruthValue(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }
}
