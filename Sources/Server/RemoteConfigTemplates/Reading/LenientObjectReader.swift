/// Parses `{name:'text', other:{"strict": "JSON"}}`: bare or quoted names, texts in single or double quotes.
///
/// A single-quoted text has no escapes, so an apostrophe in it looks like its end. The text ends at the first quote
/// that is followed by the end of the object, or by a comma and another `name:`.
struct LenientObjectReader {
    private let bytes: [UInt8]
    private var index = 0

    /// Nil if the bytes are not such an object.
    static func read(_ bytes: [UInt8]) -> [String: BodyMembers.Member]? {
        var reader = LenientObjectReader(bytes: bytes)
        guard let members = reader.object() else { return nil }
        reader.skipBlanks()
        return reader.index == bytes.count ? members : nil
    }

    /// Also bounds the look-ahead at each quote, so that a body full of quotes does not take long.
    private static let nameLimit = 256

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private var current: UInt8? { bytes.indices.contains(index) ? bytes[index] : nil }

    private mutating func skipBlanks() {
        while let byte = current, byte == 0x20 || (0x09...0x0D).contains(byte) { index += 1 }
    }

    private mutating func skip(_ byte: Unicode.Scalar) -> Bool {
        skipBlanks()
        guard current == UInt8(ascii: byte) else { return false }
        index += 1
        return true
    }

    private mutating func object() -> [String: BodyMembers.Member]? {
        guard skip("{") else { return nil }
        var members: [String: BodyMembers.Member] = [:]
        if skip("}") { return members }
        repeat {
            guard let name = name(), skip(":"), let member = member() else { return nil }
            members[name] = member
        } while skip(",")
        return skip("}") ? members : nil
    }

    private mutating func name() -> String? {
        skipBlanks()
        if let quote = current, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") {
            index += 1
            let start = index
            while let byte = current, byte != quote, index - start < Self.nameLimit { index += 1 }
            guard current == quote else { return nil }
            defer { index += 1 }
            return String(validating: bytes[start..<index], as: UTF8.self)
        }
        let start = index
        while let byte = current, Self.isNameByte(byte) { index += 1 }
        return start == index ? nil : String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func member() -> BodyMembers.Member? {
        skipBlanks()
        switch current {
        case UInt8(ascii: "'"): return singleQuoted().map(BodyMembers.Member.text)
        case UInt8(ascii: "{"): return strictObject()
        case UInt8(ascii: "\""): return strictText()
        default: return bare()
        }
    }

    private mutating func singleQuoted() -> String? {
        index += 1
        let start = index
        while let byte = current {
            if byte == UInt8(ascii: "'"), isEnd(behind: index + 1) {
                defer { index += 1 }
                return String(validating: bytes[start..<index], as: UTF8.self)
            }
            index += 1
        }
        return nil
    }

    /// Whether the object ends at `place`, or a comma and another member follow.
    private func isEnd(behind place: Int) -> Bool {
        var ahead = self
        ahead.index = place
        if ahead.skip("}") { return true }
        return ahead.skip(",") && ahead.name() != nil && ahead.skip(":")
    }

    /// JSON from a brace to the one that closes it. Braces inside texts do not count.
    private mutating func strictObject() -> BodyMembers.Member? {
        let start = index
        var depth = 0
        var isInText = false
        while let byte = current {
            index += 1
            switch byte {
            case UInt8(ascii: "\\") where isInText: index += 1
            case UInt8(ascii: "\""): isInText.toggle()
            case UInt8(ascii: "{") where !isInText: depth += 1
            case UInt8(ascii: "}") where !isInText: depth -= 1
            default: break
            }
            if depth == 0 { break }
        }
        guard depth == 0, index <= bytes.count else { return nil }
        return wrapped(bytes[start..<index])
    }

    private mutating func strictText() -> BodyMembers.Member? {
        let start = index
        index += 1
        while let byte = current, byte != UInt8(ascii: "\"") { index += byte == UInt8(ascii: "\\") ? 2 : 1 }
        guard current != nil else { return nil }
        index += 1
        return wrapped(bytes[start..<index])
    }

    /// A JSON value, parsed by the JSON parser as a member of an object.
    private func wrapped(_ value: ArraySlice<UInt8>) -> BodyMembers.Member? {
        let object: [UInt8] = Array("{\"v\":".utf8) + Array(value) + Array("}".utf8)
        return BodyMembers.json(object)?["v"]
    }

    /// A number or a word.
    private mutating func bare() -> BodyMembers.Member? {
        let start = index
        while let byte = current, Self.isNameByte(byte) || "+-.".utf8.contains(byte) { index += 1 }
        return start == index ? nil : .text(String(decoding: bytes[start..<index], as: UTF8.self))
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
