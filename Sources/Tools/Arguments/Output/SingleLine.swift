extension String {
    /// The text on one line and safe for a terminal: line breaks and tabs, with the spaces after them, become one
    /// space; other control characters, which could move the cursor or reorder text, become U+FFFD.
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
