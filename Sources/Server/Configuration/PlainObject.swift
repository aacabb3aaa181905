/// Reads JSON objects whose values are texts, or objects of texts, and in which nothing is escaped. Clients hardly ever send
/// others, and this takes a fraction of the time of a reader of all JSON.
struct PlainObject {
    private let bytes: [UInt8]
    private var index = 0

    /// Nil where the bytes are anything else, which may be JSON as well.
    static func read(_ bytes: [UInt8]) -> [String: BodyMembers.Member]? {
        var reader = PlainObject(bytes: bytes)
        guard let members = reader.object({ $0.member() }) else { return nil }
        reader.skipBlanks()
        return reader.index == bytes.count ? members : nil
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func object<Value>(_ value: (inout Self) -> Value?) -> [String: Value]? {
        guard skip("{") else { return nil }
        var members: [String: Value] = [:]
        if skip("}") { return members }
        repeat {
            guard let name = text(), skip(":"), let value = value(&self) else { return nil }
            members[name] = value
        } while skip(",")
        return skip("}") ? members : nil
    }

    private mutating func member() -> BodyMembers.Member? {
        skipBlanks()
        if index < bytes.count, bytes[index] == UInt8(ascii: "{") {
            return object { $0.text() }.map(BodyMembers.Member.object)
        }
        return text().map(BodyMembers.Member.text)
    }

    private mutating func text() -> String? {
        guard skip("\"") else { return nil }
        let start = index
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            // Control characters are no JSON.
            guard bytes[index] >= 0x20, bytes[index] != UInt8(ascii: "\\") else { return nil }
            index += 1
        }
        guard index < bytes.count else { return nil }
        defer { index += 1 }
        return String(validating: bytes[start..<index], as: UTF8.self)
    }

    private mutating func skip(_ byte: Unicode.Scalar) -> Bool {
        skipBlanks()
        guard index < bytes.count, bytes[index] == UInt8(ascii: byte) else { return false }
        index += 1
        return true
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    private mutating func skipBlanks() {
        while index < bytes.count, Self.isBlank(bytes[index]) { index += 1 }
    }
}
