/// Where a text stops being JSON (RFC 8259), for the person who wrote it. Foundation's decoder does not say it on Linux.
///
/// Takes time in proportion to the text, and a byte of memory per open bracket.
package struct JSONFault: Sendable, Hashable, CustomStringConvertible {
    /// From 1.
    package let line: Int
    /// From 1, in characters of the line.
    package let column: Int
    /// What is wrong there, such as `a comma or } is missing`.
    package let problem: String

    package var description: String { "line \(line), column \(column): \(problem)" }

    /// Nil for valid JSON.
    package init?(in bytes: some Sequence<UInt8>) {
        var scanner = JSONScanner(bytes: Array(bytes))
        guard let problem = scanner.problem() else { return nil }
        let before = scanner.bytes.prefix(scanner.place)
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        line = before.count { $0 == UInt8(ascii: "\n") } + 1
        // Bytes that continue a character do not count.
        column = before[start...].count { $0 & 0xC0 != 0x80 } + 1
        self.problem = problem
    }
}

/// Reads JSON without recursion: a text may consist of brackets only.
private struct JSONScanner {
    /// What may follow.
    private enum Next { case value, valueOrEnd, key, keyOrEnd, colon, commaOrEnd, nothing }

    let bytes: [UInt8]
    /// After `problem()`: where it is.
    private(set) var place = 0
    private var open: [UInt8] = []
    private var next = Next.value

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func problem() -> String? {
        while true {
            while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
            guard place < bytes.count else { return next == .nothing ? nil : "the text ends too early" }
            if let problem = step(bytes[place]) { return problem }
        }
    }

    private mutating func step(_ byte: UInt8) -> String? {
        if byte == 0xEF, bytes[place...].starts(with: [0xEF, 0xBB, 0xBF]) {
            return "an invisible byte order mark stands here; remove it"
        }
        switch next {
        case .nothing: return "something follows the end of the JSON"
        case .colon:
            guard byte == UInt8(ascii: ":") else { return "a colon is missing" }
            (place, next) = (place + 1, .value)
        case .commaOrEnd:
            if byte == end { return close() }
            guard byte == UInt8(ascii: ",") else { return "a comma or \(endText) is missing" }
            (place, next) = (place + 1, open.last == UInt8(ascii: "{") ? .key : .value)
        case .key, .keyOrEnd:
            if next == .keyOrEnd, byte == end { return close() }
            guard byte == UInt8(ascii: "\"") else {
                return byte == end ? "a comma stands before \(endText)" : "a key in double quotes is missing"
            }
            if let problem = string() { return problem }
            next = .colon
        case .value, .valueOrEnd:
            if byte == end, next == .valueOrEnd { return close() }
            return value(byte)
        }
        return nil
    }

    private var end: UInt8? { open.last.map { $0 + 2 } }
    private var endText: String { open.last == UInt8(ascii: "{") ? "}" : "]" }

    private mutating func close() -> String? {
        open.removeLast()
        place += 1
        next = open.isEmpty ? .nothing : .commaOrEnd
        return nil
    }

    private mutating func value(_ byte: UInt8) -> String? {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            open.append(byte)
            (place, next) = (place + 1, byte == UInt8(ascii: "{") ? .keyOrEnd : .valueOrEnd)
            return nil
        case UInt8(ascii: "\""):
            if let problem = string() { return problem }
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            if !number() { return "this is not a number of JSON" }
        default:
            guard let word = ["true", "false", "null"].first(where: { bytes[place...].starts(with: $0.utf8) }) else {
                return byte == end && end == UInt8(ascii: "]") ? "a comma stands before ]" : "a value is missing"
            }
            place += word.utf8.count
        }
        next = open.isEmpty ? .nothing : .commaOrEnd
        return nil
    }

    /// From its opening quote to behind the closing one.
    private mutating func string() -> String? {
        let start = place
        place += 1
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\""):
                place += 1
                return nil
            case ..<0x20:
                let isLineEnd = [0x0A, 0x0D].contains(bytes[place])
                if isLineEnd { place = start }
                return isLineEnd
                    ? "the closing quote is missing on this line"
                    : "a control character; write it as \\u and four digits"
            case UInt8(ascii: "\\"):
                guard let length = escape() else { return "JSON has no such escape" }
                place += length
            default: place += 1
            }
        }
        place = start
        return "the closing quote is missing"
    }

    /// The length of the escape here.
    private func escape() -> Int? {
        let rest = bytes[place...].dropFirst()
        switch rest.first {
        case UInt8(ascii: "u"):
            let digits = rest.dropFirst().prefix(4)
            let isHex = digits.allSatisfy { Character(UnicodeScalar($0)).isHexDigit && $0 < 0x80 }
            return digits.count == 4 && isHex ? 6 : nil
        case let byte?: return "\"\\/bfnrt".utf8.contains(byte) ? 2 : nil
        case nil: return nil
        }
    }

    private mutating func number() -> Bool {
        var here = place
        func digits() -> Int {
            bytes[here...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
        }
        if bytes[here] == UInt8(ascii: "-") { here += 1 }
        let whole = digits()
        guard whole > 0, whole == 1 || bytes[here] != UInt8(ascii: "0") else { return false }
        here += whole
        if here < bytes.count, bytes[here] == UInt8(ascii: ".") {
            here += 1
            guard digits() > 0 else { return false }
            here += digits()
        }
        if here < bytes.count, [UInt8(ascii: "e"), UInt8(ascii: "E")].contains(bytes[here]) {
            here += 1
            if here < bytes.count, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(bytes[here]) { here += 1 }
            guard digits() > 0 else { return false }
            here += digits()
        }
        place = here
        return true
    }
}
