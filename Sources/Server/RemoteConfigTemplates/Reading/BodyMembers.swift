import Foundation

/// The members of a device's body, in the three forms that clients really send: JSON in camelCase, JSON in snake_case,
/// and an object that looks like JSON with bare keys and texts in single quotes.
struct BodyMembers {
    /// A member's value.
    enum Member: Sendable, Hashable {
        case text(String)
        case object([String: String])
    }

    /// The names in lower case without underscores, so that `app_instance_id` and `appInstanceId` are the same name.
    /// There are so few that a search is faster than a dictionary.
    private let named: [(name: String, member: Member)]

    /// Nil if the bytes have none of the three forms.
    init?(_ bytes: [UInt8]) {
        guard let members = Self.members(bytes) else { return nil }
        named = members.map { (Self.folded($0.name), $0.member) }
    }

    private static func folded(_ name: String) -> String {
        String(unsafeUninitializedCapacity: name.utf8.count) { folded in
            var count = 0
            for byte in name.utf8 where byte != UInt8(ascii: "_") {
                folded[count] = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
                count += 1
            }
            return count
        }
    }

    /// The last member of that name.
    private func member(_ name: String) -> Member? { named.last { $0.name == name }?.member }

    /// Numbers and Booleans are converted to text.
    func text(_ name: String) -> String? {
        if case .text(let text) = member(name) { text } else { nil }
    }

    func texts(_ name: String) -> [String: String] {
        if case .object(let object) = member(name) { object } else { [:] }
    }

    private static func members(_ bytes: [UInt8]) -> [(name: String, member: Member)]? {
        if !hasBareName(bytes) {
            if let members = FastObjectReader.read(bytes) { return members }
            if let object = json(bytes) { return object.map { ($0.key, $0.value) } }
        }
        return LenientObjectReader.read(bytes)?.map { ($0.key, $0.value) }
    }

    /// Whether the first bytes already show that it is not JSON.
    private static func hasBareName(_ bytes: [UInt8]) -> Bool {
        let marks = bytes.lazy.filter { $0 > 0x20 }.prefix(2).map { Unicode.Scalar($0) }
        return marks.first == "{" && marks.last.map { $0 != "\"" && $0 != "}" } ?? false
    }

    static func json(_ bytes: [UInt8]) -> [String: Member]? {
        guard let object = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] else { return nil }
        return object.compactMapValues { value in
            if let inner = value as? [String: Any] { return .object(inner.compactMapValues(plain)) }
            return plain(value).map(Member.text)
        }
    }

    private static func plain(_ value: Any) -> String? {
        if let text = value as? String { return text }
        guard let number = value as? NSNumber else { return nil }
        // Foundation represents Booleans as numbers.
        return isTruthValue(number) ? (number.boolValue ? "true" : "false") : number.stringValue
    }

    private static func isTruthValue(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }
}

/// Parses JSON objects whose values are texts, or objects of texts, without any escapes. Clients rarely send others,
/// and this takes a fraction of a full JSON parser's time.
struct FastObjectReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0

    /// The members in their order. Nil for all other bytes, which may still be JSON.
    static func read(_ bytes: [UInt8]) -> [(name: String, member: BodyMembers.Member)]? {
        bytes.withUnsafeBufferPointer { bytes in
            var reader = FastObjectReader(bytes: bytes)
            var members: [(name: String, member: BodyMembers.Member)] = []
            guard reader.object({ members.append(($0, $1)) }, { $0.member() }) else { return nil }
            reader.skipBlanks()
            return reader.index == bytes.count ? members : nil
        }
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// False if there is no object.
    private mutating func object<Value>(
        _ add: (String, Value) -> Void, _ value: (inout Self) -> Value?
    ) -> Bool {
        guard skip("{") else { return false }
        if skip("}") { return true }
        repeat {
            guard let name = text(), skip(":"), let value = value(&self) else { return false }
            add(name, value)
        } while skip(",")
        return skip("}")
    }

    private mutating func member() -> BodyMembers.Member? {
        skipBlanks()
        guard index < bytes.count, bytes[index] == UInt8(ascii: "{") else { return text().map(BodyMembers.Member.text) }
        var texts: [String: String] = [:]
        return object({ texts[$0] = $1 }, { $0.text() }) ? .object(texts) : nil
    }

    private mutating func text() -> String? {
        guard skip("\"") else { return nil }
        let start = index
        var all: UInt8 = 0
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            // JSON does not allow control characters.
            guard bytes[index] >= 0x20, bytes[index] != UInt8(ascii: "\\") else { return nil }
            all |= bytes[index]
            index += 1
        }
        guard index < bytes.count else { return nil }
        defer { index += 1 }
        let text = UnsafeBufferPointer(rebasing: bytes[start..<index])
        return all < 0x80 ? String(decoding: text, as: UTF8.self) : String(validating: text, as: UTF8.self)
    }

    private mutating func skip(_ byte: Unicode.Scalar) -> Bool {
        skipBlanks()
        guard index < bytes.count, bytes[index] == UInt8(ascii: byte) else { return false }
        index += 1
        return true
    }

    private mutating func skipBlanks() {
        while index < bytes.count, Self.isBlank(bytes[index]) { index += 1 }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
}
