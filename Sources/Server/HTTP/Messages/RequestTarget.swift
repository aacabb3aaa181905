internal import Glibc

/// The parts of a request target: the path as sent, its decoded segments, its custom verb, its query.
struct RequestTarget: Sendable {
    /// The target in origin form, as sent: visible ASCII.
    private let text: [UInt8]
    private let pathEnd: Int
    /// The decoded segments, without the custom verb of the last one; a trailing slash adds none.
    let stems: [String]
    /// What follows the last unescaped `:` of the last segment. An escaped colon (`%3A`) is data, not a verb.
    let verb: String?
    let query: QueryItems

    init(_ target: [UInt8]) throws(HTTPFault) {
        guard Self.isClean(target) else {
            throw .badRequest("The request target has a character that must be percent-encoded.")
        }
        let text = try Self.originForm(target)
        let mark = text.firstIndex(of: UInt8(ascii: "?"))
        let end = mark ?? text.endIndex
        // Borrowed memory, because each slice of an array would count as one more owner of the array.
        (query, stems, verb) = try text.withUnsafeBufferPointer { (bytes) throws(HTTPFault) in
            guard let query = QueryItems(bytes[(mark.map { $0 + 1 } ?? end)...]) else {
                throw .badRequest("The query string is not valid percent-encoded UTF-8.")
            }
            let (stems, verb) = try Self.parts(bytes[1..<end])
            return (query, stems, verb)
        }
        self.text = text
        pathEnd = end
    }

    /// Whether all of it is visible ASCII without `#`. The loop has no branch, so that the compiler can vectorize it.
    private static func isClean(_ target: [UInt8]) -> Bool {
        target.withUnsafeBufferPointer { target in
            var found: UInt8 = 0
            for byte in target { found |= byte < 0x21 || byte > 0x7E || byte == UInt8(ascii: "#") ? 1 : 0 }
            return found == 0
        }
    }

    /// The path as sent.
    var path: String { String(decoding: text[..<pathEnd], as: UTF8.self) }

    /// Path and query as sent.
    var sent: String { String(decoding: text, as: UTF8.self) }

    /// The stems, with the verb in its place.
    var segments: [String] {
        guard let verb, let last = stems.last else { return stems }
        return stems.dropLast() + ["\(last):\(verb)"]
    }

    /// The target without scheme and authority. Clients may send these, and servers must accept them (RFC 9112, 3.2.2).
    private static func originForm(_ target: [UInt8]) throws(HTTPFault) -> [UInt8] {
        if target.first == UInt8(ascii: "/") { return target }
        let lowercase = target.map(HTTPToken.lower)
        for scheme in ["http://", "https://"] where lowercase.starts(with: scheme.utf8) {
            let rest = target.dropFirst(scheme.utf8.count)
            guard let end = rest.firstIndex(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }) else {
                return [UInt8(ascii: "/")]
            }
            return (rest[end] == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]) + rest[end...]
        }
        throw .badRequest("The request target must be a path that begins with '/'.")
    }

    /// Stems and verb of a path without its first slash.
    private static func parts(_ path: PercentDecoding.Text) throws(HTTPFault) -> (stems: [String], verb: String?) {
        var stems: [String] = []
        guard let end = path.last else { return (stems, nil) }
        stems.reserveCapacity(8)
        var rest = end == UInt8(ascii: "/") ? path.dropLast() : path
        while let slash = rest.firstIndex(of: UInt8(ascii: "/")) {
            stems.append(try decoded(rest[..<slash]))
            rest = rest[(slash + 1)...]
        }
        let colon = rest.lastIndex(of: UInt8(ascii: ":"))
        stems.append(try decoded(rest[..<(colon ?? rest.endIndex)]))
        return (stems, try colon.map { (colon) throws(HTTPFault) in try decoded(rest[(colon + 1)...]) })
    }

    private static func decoded(_ segment: PercentDecoding.Text) throws(HTTPFault) -> String {
        guard let text = PercentDecoding.decode(segment) else {
            throw .badRequest("The path is not valid percent-encoded UTF-8.")
        }
        guard text != ".", text != ".." else {
            throw .badRequest("The path must not contain '.' or '..' segments.")
        }
        return text
    }

    /// `target` for logs: the path and the names of the query items. `*` replaces their values, because keys and tokens
    /// are sent there. An item without `=` may be a bare secret, so `*` replaces all of it. A target beyond 1,000 bytes
    /// is cut, so that one request cannot flood a log.
    static func redacted(_ target: some Collection<UInt8>) -> String {
        let visible = visible(target.prefix(1000))
        let parts = visible.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count > 1 else { return visible }
        let items = parts[1].split(separator: "&").map { item in
            item.firstIndex(of: "=").map { item[...$0] + "*" } ?? "*"
        }
        return parts[0] + "?" + items.joined(separator: "&")
    }

    /// The text with every byte outside visible ASCII escaped, so that one line of a log stays one line.
    private static func visible(_ bytes: some Sequence<UInt8>) -> String {
        var result: [UInt8] = []
        for byte in bytes {
            if (0x21...0x7E).contains(byte) {
                result.append(byte)
            } else {
                result += [UInt8(ascii: "%"), hexDigit(byte >> 4), hexDigit(byte & 0xF)]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}

/// Decodes percent-encoded text, once, and refuses all that is not clean UTF-8.
enum PercentDecoding {
    /// A part of a text that is valid during a call.
    typealias Text = Slice<UnsafeBufferPointer<UInt8>>

    /// The decoded text; `nil` if an escape is malformed, or the result has a NUL or is not UTF-8.
    ///
    /// - Parameter text: visible ASCII.
    static func decode(_ text: Text, plusIsSpace: Bool = false) -> String? {
        guard has("%", in: text) || plusIsSpace && has("+", in: text) else {
            return String(decoding: UnsafeBufferPointer(rebasing: text), as: UTF8.self)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(hexValue), let low = rest.popFirst().flatMap(hexValue)
                else { return nil }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace:
                bytes.append(UInt8(ascii: " "))
            default:
                bytes.append(byte)
            }
        }
        guard !bytes.contains(0) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func has(_ character: Unicode.Scalar, in text: Text) -> Bool {
        let bytes = UnsafeBufferPointer(rebasing: text)
        return bytes.baseAddress.map { memchr($0, Int32(character.value), bytes.count) != nil } ?? false
    }

    private static func hexValue(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
