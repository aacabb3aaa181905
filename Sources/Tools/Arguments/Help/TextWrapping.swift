extension String {
    /// The text broken at spaces into lines of at most `columns`. Its own line breaks and their indentation stay; a
    /// word longer than a line gets a line of its own.
    func wrapped(to columns: Int) -> [String] {
        split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [String] in
            let indent = String(line.prefix(while: { $0 == " " }))
            let words = line.split(separator: " ").map(String.init)
            return TextWrapping.fill(words, columns: columns - indent.count).map { $0.isEmpty ? "" : indent + $0 }
        }
    }

    /// Every line after an indentation; empty lines stay empty.
    func indented(by count: Int, columns: Int) -> String {
        let indent = String(repeating: " ", count: count)
        return wrapped(to: columns - count).map { $0.isEmpty ? "" : indent + $0 }.joined(separator: "\n")
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
