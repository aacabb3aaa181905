/// A caller's word or a name from a model file, fit for one line of an answer or a log.
public enum CallerText {
    /// At most 60 characters of it, without control and format characters.
    public static func word(_ text: String) -> String {
        let scalars = text.unicodeScalars
        let clean = scalars.prefix(60).map { $0.fitsOneLine ? String($0) : "?" }
        return clean.joined() + (scalars.dropFirst(60).isEmpty ? "" : "…")
    }

    static func quoted(_ text: String) -> String { "'\(word(text))'" }
}
