import HearthCatalog

/// Makes texts of a probe safe to show.
struct TextCleaner {
    let limits: ProbeLimits

    /// Cut to the limit; control characters, line breaks and marks that turn the direction of text become spaces, so that
    /// no text can drive a terminal, forge a log line or pass for another one.
    func clean(_ text: String) -> String {
        let scalars = text.unicodeScalars.prefix(limits.textCharacters).map { scalar in
            scalar.fitsOneLine ? scalar : " "
        }
        var cleaned = String.UnicodeScalarView()
        cleaned.append(contentsOf: scalars)
        return String(cleaned)
    }
}
