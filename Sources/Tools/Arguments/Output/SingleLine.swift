extension String {
    /// The text on one line and safe for a terminal: each run of line breaks and tabs becomes one space, and other control
    /// characters, which could move the cursor or reorder text, become `�`.
    var singleLine: String {
        var result = ""
        var pendingSpace = false
        for scalar in unicodeScalars {
            if scalar.properties.isWhitespace && scalar.properties.generalCategory != .spaceSeparator {
                pendingSpace = true
                continue
            }
            if pendingSpace && !result.isEmpty { result += " " }
            pendingSpace = false
            let isControl = scalar.properties.generalCategory == .control || scalar.properties.isBidiControl
            result.unicodeScalars.append(isControl ? "\u{FFFD}" : scalar)
        }
        return result
    }
}
