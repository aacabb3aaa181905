import CRE2

/// A regular expression in RE2's syntax: searching takes time in proportion to the text, whatever the pattern, so no device's
/// words can make the server think for long.
///
/// `@unchecked Sendable`: RE2's compiled patterns may be searched with by any number of threads, and nothing else is done
/// with one between `init` and `deinit`.
final class TextPattern: @unchecked Sendable {
    struct Malformed: Error {
        let reason: String
    }

    let text: String
    /// What it costs to keep and to search with, and no less than what it cost to read.
    let instructions: Int
    private let pattern: OpaquePointer

    /// RE2 gives up on patterns that need more, such as nested repetitions of a thousand.
    private static let memoryBytes: Int64 = 256 << 10
    /// Enough for nearly all: what RE2 may use to search goes with it, too, and a template has thousands of patterns.
    private static let usualMemoryBytes: Int64 = 64 << 10

    init(_ text: String) throws(Malformed) {
        self.text = text
        var found = Self.compile(text, memoryBytes: Self.usualMemoryBytes)
        if found.pattern == nil { found = Self.compile(text, memoryBytes: Self.memoryBytes) }
        guard let pattern = found.pattern else { throw Malformed(reason: found.reason) }
        self.pattern = pattern
        // RE2 makes the reversed program at the first search, where the pattern holds at the text's end: now is cheaper.
        let isReversed = text.contains("$") || text.contains("\\z")
        instructions = Self.readingCost(of: text) + Int(hearth_re2_instructions(pattern, isReversed))
    }

    /// What reading takes where nothing of it is left in the program, in instructions: a class of Unicode, such as `\p{L}`, has
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

    /// Whether `part` is somewhere in `text`, by its bytes, as matches are looked for too: a letter is found under an accent that
    /// follows it.
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
