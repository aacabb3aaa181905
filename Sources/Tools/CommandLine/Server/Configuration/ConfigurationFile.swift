/// A file of settings: lines `name = value`, empty lines, and comment lines that begin with `#`.
///
/// Blanks around name and value do not count. There are no quotes and no comments behind a value: whatever stands there
/// belongs to it.
struct ConfigurationFile {
    struct Line: Equatable {
        let number: Int
        let name: String
        let value: String
    }

    let lines: [Line]

    /// - Throws: for a line that is none of the three, and for a name that stands there twice.
    init(_ text: String, path: String) throws(ConfigurationError) {
        var lines: [Line] = []
        var seen: [String: Int] = [:]
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: Self.endsLine).enumerated() {
            let line = Self.trimmed(line)
            if line.isEmpty || line.hasPrefix("#") { continue }
            guard let equals = line.firstIndex(of: "=") else {
                throw ConfigurationError("\(path), line \(index + 1): '\(line)' is not of the form 'name = value'.")
            }
            let name = String(Self.trimmed(line[..<equals]))
            if let first = seen.updateValue(index + 1, forKey: name) {
                throw ConfigurationError("\(path), line \(index + 1): '\(name)' was set in line \(first) already.")
            }
            let value = String(Self.trimmed(line[line.index(after: equals)...]))
            lines.append(Line(number: index + 1, name: name, value: value))
        }
        self.lines = lines
    }

    /// Of any system: to Swift, CR LF is one character, and none of the two.
    private static func endsLine(_ character: Character) -> Bool { ["\n", "\r\n", "\r"].contains(character) }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
