/// Makes texts of a probe safe to show.
struct TextCleaner {
    let limits: ProbeLimits

    /// Cut to the limit; control characters become spaces, so that no text can drive a terminal or forge a log line.
    func clean(_ text: String) -> String {
        let scalars = text.unicodeScalars.prefix(limits.textCharacters).map { scalar in
            scalar.properties.generalCategory == .control ? " " : scalar
        }
        var cleaned = String.UnicodeScalarView()
        cleaned.append(contentsOf: scalars)
        return String(cleaned)
    }
}
