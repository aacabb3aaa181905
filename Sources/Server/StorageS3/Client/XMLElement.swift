/// An element of a store's answer: its name without namespace, its text, and its children. Attributes are dropped.
///
/// Made by a small strict reader instead of Foundation's, which needs another library and follows the rules for documents
/// of any kind. Answers are not trusted: there is no document type, and so no entity but the five of XML itself.
struct XMLElement: Sendable, Hashable {
    var name: String
    var text = ""
    var children: [XMLElement] = []

    /// The text of the first child of that name.
    subscript(name: String) -> String? { children.first { $0.name == name }?.text }

    func all(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }

    /// The root element; nil for everything that is not a complete, well-formed and small document.
    init?(document bytes: [UInt8]) {
        guard bytes.count <= Self.limitBytes else { return nil }
        var reader = XMLReader(bytes)
        guard let root = reader.document() else { return nil }
        self = root
    }

    fileprivate init(_ name: String) { self.name = name }

    /// A page of a list has a thousand keys of at most 1024 bytes, each of which XML may write six times as long.
    static let limitBytes = 8 << 20
    static let limitDepth = 16
    static let limitElements = 50_000
}

private struct XMLReader {
    private let bytes: [UInt8]
    private var position = 0
    private var elementCount = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func document() -> XMLElement? {
        // Stores send white space in front of the declaration while they are still working.
        skipSpace()
        if take("<?xml") {
            guard skip(past: "?>") else { return nil }
        }
        guard skipBetweenElements(), let root = element(depth: 1), skipBetweenElements() else { return nil }
        return position == bytes.count ? root : nil
    }

    private mutating func element(depth: Int) -> XMLElement? {
        elementCount += 1
        guard depth <= XMLElement.limitDepth, elementCount <= XMLElement.limitElements, take("<"), let name = name(),
            let isEmpty = attributes()
        else { return nil }
        var element = XMLElement(String(name.split(separator: ":").last ?? ""))
        if isEmpty { return element }
        var text = [UInt8]()
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "&"):
                guard let character = reference() else { return nil }
                text += character
            case UInt8(ascii: "<"):
                if take("</") {
                    guard self.name() == name else { return nil }
                    skipSpace()
                    guard take(">"), let valid = String(validating: text, as: UTF8.self) else { return nil }
                    element.text = valid
                    return element
                } else if take("<!--") {
                    guard skip(past: "-->") else { return nil }
                } else if take("<![CDATA[") {
                    let start = position
                    guard skip(past: "]]>") else { return nil }
                    text += bytes[start..<position - 3]
                } else {
                    guard let child = self.element(depth: depth + 1) else { return nil }
                    element.children.append(child)
                }
            case let byte:
                text.append(byte)
                position += 1
            }
        }
        return nil
    }

    /// Skips to the end of a start tag. Returns whether the element ends with it; nil if it is malformed.
    private mutating func attributes() -> Bool? {
        while true {
            skipSpace()
            if take("/>") { return true }
            if take(">") { return false }
            guard name() != nil else { return nil }
            skipSpace()
            guard take("=") else { return nil }
            skipSpace()
            guard let quote = ["\"", "'"].first(where: { take($0) }), skip(past: quote) else { return nil }
        }
    }

    private mutating func name() -> String? {
        let start = position
        while position < bytes.count, Self.isNameByte(bytes[position]) { position += 1 }
        guard position > start, position - start <= 128 else { return nil }
        return String(validating: bytes[start..<position], as: UTF8.self)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x3A, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x80...: true
        default: false
        }
    }

    private mutating func reference() -> [UInt8]? {
        let start = position + 1
        guard let end = bytes[start...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else { return nil }
        position = end + 1
        switch String(decoding: bytes[start..<end], as: UTF8.self) {
        case "amp": return [0x26]
        case "lt": return [0x3C]
        case "gt": return [0x3E]
        case "quot": return [0x22]
        case "apos": return [0x27]
        case let text where text.hasPrefix("#"):
            let isHex = text.hasPrefix("#x")
            guard let number = UInt32(text.dropFirst(isHex ? 2 : 1), radix: isHex ? 16 : 10), number > 0,
                let scalar = Unicode.Scalar(number)
            else { return nil }
            return Array(String(Character(scalar)).utf8)
        default: return nil
        }
    }

    /// White space and comments. A document type or an instruction is refused by what follows.
    private mutating func skipBetweenElements() -> Bool {
        skipSpace()
        while take("<!--") {
            guard skip(past: "-->") else { return false }
            skipSpace()
        }
        return true
    }

    private mutating func skipSpace() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
    }

    private mutating func take(_ text: String) -> Bool {
        guard bytes[position...].starts(with: text.utf8) else { return false }
        position += text.utf8.count
        return true
    }

    private mutating func skip(past text: String) -> Bool {
        while position < bytes.count {
            if take(text) { return true }
            position += 1
        }
        return false
    }
}
