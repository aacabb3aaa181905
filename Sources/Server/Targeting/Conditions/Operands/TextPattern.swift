import CRE2

/// A regular expression in RE2's syntax. A search takes time in proportion to the text, whatever the pattern, so no
/// text from a device can occupy the server for long.
///
/// `@unchecked Sendable`: any number of threads may search with a compiled pattern of RE2, and between `init` and
/// `deinit` the pattern is only used for searches.
final class TextPattern: @unchecked Sendable {
    struct Malformed: Error {
        let reason: String
    }

    let text: String
    /// The cost of keeping the pattern and of searching with it. It includes the cost of parsing.
    let instructions: Int
    private let pattern: OpaquePointer

    /// RE2 refuses patterns that need more, such as nested repetitions of a thousand.
    private static let memoryBytes: Int64 = 256 << 10
    /// Enough for nearly all patterns. It also bounds the memory of searches, and a template has thousands of patterns.
    private static let usualMemoryBytes: Int64 = 64 << 10

    init(_ text: String) throws(Malformed) {
        self.text = text
        var found = Self.compile(text, memoryBytes: Self.usualMemoryBytes)
        if found.pattern == nil { found = Self.compile(text, memoryBytes: Self.memoryBytes) }
        guard let pattern = found.pattern else { throw Malformed(reason: found.reason) }
        self.pattern = pattern
        // RE2 compiles the reversed program at the first search if the pattern is anchored at the text's end. Doing it
        // now is cheaper.
        let isReversed = text.contains("$") || text.contains("\\z")
        instructions = Self.readingCost(of: text) + Int(hearth_re2_instructions(pattern, isReversed))
    }

    /// The cost of parsing that leaves no trace in the program, in instructions: a Unicode class, such as `\p{L}`, has
    /// hundreds of ranges.
    static func readingCost(of text: String) -> Int {
        var cost = text.utf8.count
        var isEscaped = false
        for byte in text.utf8 {
            if isEscaped, byte | 0x20 == UInt8(ascii: "p") { cost += classInstructions }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        }
        return cost
    }

    private static let classInstructions = 250

    private static func compile(_ text: String, memoryBytes: Int64) -> (pattern: OpaquePointer?, reason: String) {
        var text = text
        return text.withUTF8 { text in
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: 200) { message -> (OpaquePointer?, String) in
                message[0] = 0
                let pattern = text.withMemoryRebound(to: CChar.self) {
                    hearth_re2_compile($0.baseAddress, $0.count, memoryBytes, message.baseAddress, message.count)
                }
                return (pattern, String(cString: message.baseAddress!))
            }
        }
    }

    deinit { hearth_re2_free(pattern) }

    /// Whether `part` occurs in `text`. It compares bytes, as matches do: a letter is found even if an accent follows
    /// it.
    static func isIn(_ text: String, part: String) -> Bool {
        var (text, part) = (text, part)
        return text.withUTF8 { text in
            part.withUTF8 { part in
                text.withMemoryRebound(to: CChar.self) { text in
                    part.withMemoryRebound(to: CChar.self) { part in
                        hearth_text_is_in(part.baseAddress, part.count, text.baseAddress, text.count)
                    }
                }
            }
        }
    }

    /// Whether some part of `text` matches.
    func isIn(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { text in
            text.withMemoryRebound(to: CChar.self) { hearth_re2_is_in(pattern, $0.baseAddress, $0.count) }
        }
    }
}

extension TextPattern: Hashable {
    static func == (left: TextPattern, right: TextPattern) -> Bool { left.text == right.text }

    func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
