/// A command line, as a person would type it.
enum ShellText {
    /// The words in a row; those with special characters are quoted.
    static func command(_ words: String...) -> String { words.map(quoted).joined(separator: " ") }

    /// The word as POSIX shells read it: unchanged, or in single quotes. Line breaks become spaces, so that a text that
    /// someone else chose cannot begin a second line in a terminal.
    static func quoted(_ word: String) -> String {
        let line = String(String.UnicodeScalarView(word.unicodeScalars.map { isControl($0) ? " " : $0 }))
        guard line.isEmpty || !line.utf8.allSatisfy(isPlain) else { return line }
        return "'" + line.replacing("'", with: "'\\''") + "'"
    }

    /// A value as POSIX shells read it. One that is long, and that a file should hold, becomes a command that reads a
    /// file.
    static func value(_ text: String) -> String {
        let isShort = text.utf8.count <= 200 && !text.utf8.contains { $0 < 0x20 || $0 == 0x7F }
        return isShort ? quoted(text) : "\"$(cat value.txt)\""
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control || scalar.value == 0x2028 || scalar.value == 0x2029
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
            UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "="), UInt8(ascii: ","):
            true
        default:
            false
        }
    }
}
