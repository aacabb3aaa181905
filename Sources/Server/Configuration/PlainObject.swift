/// Reads JSON objects whose values are texts, or objects of texts, and in which nothing is escaped. Clients hardly ever send
/// others, and this takes a fraction of the time of a reader of all JSON.
struct PlainObject {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0

    /// The members in their order. Nil where the bytes are anything else, which may be JSON as well.
    static func read(_ bytes: [UInt8]) -> [(name: String, member: BodyMembers.Member)]? {
        bytes.withUnsafeBufferPointer { bytes in
            var reader = PlainObject(bytes: bytes)
            var members: [(name: String, member: BodyMembers.Member)] = []
            guard reader.object({ members.append(($0, $1)) }, { $0.member() }) else { return nil }
            reader.skipBlanks()
            return reader.index == bytes.count ? members : nil
        }
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// False where there is none.
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
            // Control characters are no JSON.
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
