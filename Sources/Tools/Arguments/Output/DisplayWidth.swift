extension Character {
    /// The columns that a terminal gives the character: 2 for East Asian wide characters and emoji, 0 for marks without
    /// width of their own, else 1.
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
    /// The columns that a terminal gives the text.
    var displayWidth: Int {
        reduce(0) { $0 + $1.displayWidth }
    }

    /// The longest start of the text that fits into `columns`, ending in `…` where something was cut.
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
