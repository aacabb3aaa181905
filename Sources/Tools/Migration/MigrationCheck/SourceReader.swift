/// Takes comments and texts out of a source file, line by line. Code in a text, as in `"\(code)"`, stays code.
struct SourceReader {
    struct Line {
        /// From 1.
        var number: Int
        /// Without comments, and with empty texts.
        var code: [UInt8] = []
        /// What stands in the texts, if the file is a manifest.
        var literals: [String] = []
    }

    /// A text that has begun.
    private struct Text {
        var quote: UInt8
        var isLong = false
        /// Signs `#` around the text.
        var hashes = 0
        var bytes: [UInt8] = []
    }

    /// Code inside of a text.
    private struct Insertion {
        var text: Text
        /// Brackets that are open in it.
        var depth = 0
    }

    /// Texts in code in texts. Deeper than this, code counts as text.
    private static let deepest = 32
    /// Signs `#` in front of a text.
    private static let mostHashes = 16

    private let bytes: [UInt8]
    private let language: SourceLanguage
    private var index = 0
    private var line = Line(number: 1)
    private var comments = 0
    private var text: Text?
    private var insertions: [Insertion] = []

    /// - Parameter bytes: the file with plain newlines, as `SourceText.plain` makes it.
    init(_ bytes: [UInt8], _ language: SourceLanguage) {
        self.bytes = bytes
        self.language = language
    }

    /// Nil after the last line.
    mutating func next() -> Line? {
        guard index <= bytes.count else { return nil }
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\n") {
                index += 1
                if let text, !text.isLong { end(text) }
                return finishLine()
            }
            if comments > 0 {
                readComment()
            } else if text != nil {
                readText(byte)
            } else {
                readCode(byte)
            }
        }
        if let text { end(text) }
        index += 1
        return finishLine()
    }

    private mutating func finishLine() -> Line {
        defer { line = Line(number: line.number + 1) }
        return line
    }

    private func starts(_ mark: [UInt8], at place: Int) -> Bool {
        guard place + mark.count <= bytes.count else { return false }
        for offset in mark.indices where bytes[place + offset] != mark[offset] { return false }
        return true
    }

    private mutating func readComment() {
        guard let mark = language.blockComment else { return }
        if starts(mark.end, at: index) {
            comments -= 1
            index += mark.end.count
        } else if language.nestsComments, starts(mark.start, at: index) {
            comments += 1
            index += mark.start.count
        } else {
            index += 1
        }
    }

    private mutating func readCode(_ byte: UInt8) {
        if let mark = language.blockComment, byte == mark.start[0], starts(mark.start, at: index) {
            comments = 1
            index += mark.start.count
        } else if let mark = language.lineComment, byte == mark[0], starts(mark, at: index) {
            while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
        } else if let begun = textBegins(byte) {
            text = begun
        } else {
            if let last = insertions.indices.last, let marks = language.interpolation {
                if byte == marks.open { insertions[last].depth += 1 }
                if byte == marks.close {
                    insertions[last].depth -= 1
                    if insertions[last].depth == 0 { text = insertions.removeLast().text }
                }
            }
            line.code.append(byte)
            index += 1
        }
    }

    /// Steps over the quotes at which a text begins.
    private mutating func textBegins(_ byte: UInt8) -> Text? {
        var hashes = 0
        if byte == UInt8(ascii: "#"), language.hasRawTexts {
            while hashes < Self.mostHashes, index + hashes < bytes.count, bytes[index + hashes] == byte { hashes += 1 }
        }
        let place = index + hashes
        guard place < bytes.count else { return nil }
        let quote = bytes[place]
        guard quote == UInt8(ascii: "\"") || hashes == 0 && quote == UInt8(ascii: "'") && language.hasSingleQuotes
        else { return nil }
        let isLong = language.hasLongTexts && starts([quote, quote, quote], at: place)
        index = place + (isLong ? 3 : 1)
        return Text(quote: quote, isLong: isLong, hashes: hashes)
    }

    private mutating func readText(_ byte: UInt8) {
        guard var text else { return }
        self.text = nil
        if byte == text.quote {
            let end = [UInt8](repeating: text.quote, count: text.isLong ? 3 : 1) + hashes(text)
            if starts(end, at: index) {
                index += end.count
                self.end(text)
                return
            }
        }
        if let marks = language.interpolation, byte == marks.mark, insertions.count < Self.deepest,
            starts([marks.mark] + hashes(text) + [marks.open], at: index)
        {
            insertions.append(Insertion(text: text))
            // The bracket itself is read as code, and counts as open.
            index += 1 + text.hashes
            return
        }
        let escapes = !text.isLong || language.escapesInLongTexts
        if byte == UInt8(ascii: "\\"), escapes, starts([byte] + hashes(text), at: index),
            index + text.hashes + 1 < bytes.count, bytes[index + text.hashes + 1] != UInt8(ascii: "\n")
        {
            index += 1 + text.hashes
        }
        if language.isManifest || keepsTexts { text.bytes.append(bytes[index]) }
        index += 1
        self.text = text
    }

    private func hashes(_ text: Text) -> [UInt8] { [UInt8](repeating: UInt8(ascii: "#"), count: text.hashes) }

    private mutating func end(_ ended: Text) {
        text = nil
        if language.isManifest { line.literals.append(String(decoding: ended.bytes, as: UTF8.self)) }
        let kept = keepsTexts || language == .catalog || language == .xcode
        line.code += [UInt8(ascii: "\"")] + (kept ? ended.bytes : []) + [UInt8(ascii: "\"")]
    }

    /// An import in Objective-C keeps its name.
    private var keepsTexts: Bool {
        guard language == .objectiveC else { return false }
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let start = line.code.drop(while: isBlank)
        guard start.first == UInt8(ascii: "#") else { return false }
        let word = start.dropFirst().drop(while: isBlank)
        return word.starts(with: Array("import".utf8)) || word.starts(with: Array("include".utf8))
    }
}
