extension Character {
    /// The columns that a terminal uses for the character: 2 for East Asian wide characters and emoji, 0 for marks without their
    /// own width, else 1.
    var displayWidth: Int {
        guard let first = unicodeScalars.first else { return 0 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        let isEmoji = first.properties.isEmojiPresentation || unicodeScalars.contains { $0.value == 0xFE0F }
        return isEmoji || Self.wideRanges.contains { $0.contains(first.value) } ? 2 : 1
    }

    /// The blocks whose characters Unicode calls wide or full-width.
    private static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
        0x1F900...0x1F9FF, 0x20000...0x3FFFD,
    ]
}

extension String {
    /// The columns that a terminal uses for the text.
    var displayWidth: Int {
        reduce(0) { $0 + $1.displayWidth }
    }

    /// The longest beginning of the text that fits into `columns`. It ends in `…` if the rest was cut.
    func truncated(to columns: Int) -> String {
        guard displayWidth > columns else { return self }
        var result = ""
        var width = 1
        for character in self {
            width += character.displayWidth
            if width > columns { break }
            result.append(character)
        }
        return columns > 0 ? result + "…" : ""
    }
}

extension String {
    /// The text broken at spaces into lines of at most `columns`. Keeps its line breaks and their indentation. A word that is
    /// longer than a line gets its own line.
    func wrapped(to columns: Int) -> [String] {
        split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [String] in
            let indent = String(line.prefix(while: { $0 == " " }))
            let words = line.split(separator: " ").map(String.init)
            return TextWrapping.fill(words, columns: columns - indent.count).map { $0.isEmpty ? "" : indent + $0 }
        }
    }

    /// Each line with an indentation; empty lines stay empty.
    func indented(by count: Int, columns: Int) -> String {
        let indent = String(repeating: " ", count: count)
        return wrapped(to: columns - count).map { $0.isEmpty ? "" : indent + $0 }.joined(separator: "\n")
    }
}

extension String {
    /// The text for a terminal of that width, with an indentation of its first line and one of the later lines; on one line for
    /// nil, which means a file or a pipe. A very narrow terminal gets longer lines.
    package func wrapped(to width: Int?, indent: Int, laterIndent: Int) -> String {
        let first = String(repeating: " ", count: indent)
        guard let width else { return first + self }
        let later = "\n" + String(repeating: " ", count: laterIndent)
        return first + wrapped(to: max(width, 40) - max(indent, laterIndent)).joined(separator: later)
    }
}

enum TextWrapping {
    /// Joins pieces with spaces into lines of at most `columns`; pieces are never broken.
    static func fill(_ pieces: [String], columns: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for piece in pieces {
            if line.isEmpty {
                line = piece
            } else if line.displayWidth + 1 + piece.displayWidth <= columns {
                line += " " + piece
            } else {
                lines.append(line)
                line = piece
            }
        }
        lines.append(line)
        return lines
    }
}

extension String {
    /// The text on one line, safe for a terminal. Line breaks and tabs, with the spaces after them, become one space. Other
    /// control characters, which could move the cursor or reorder text, become U+FFFD.
    var singleLine: String {
        var result = String.UnicodeScalarView()
        var isAfterBreak = false
        for scalar in unicodeScalars {
            let properties = scalar.properties
            let isBreak = properties.isWhitespace && properties.generalCategory != .spaceSeparator
            if isBreak || (isAfterBreak && scalar == " ") {
                isAfterBreak = true
                continue
            }
            if isAfterBreak && !result.isEmpty && result.last != " " { result.append(" ") }
            isAfterBreak = false
            let isControl = properties.generalCategory == .control || properties.isBidiControl
            result.append(isControl ? "\u{FFFD}" : scalar)
        }
        return String(result)
    }
}
