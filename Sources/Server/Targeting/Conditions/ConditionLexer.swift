/// Splits a condition into tokens.
struct ConditionLexer {
    /// Longer conditions are a mistake or an attack.
    static let byteLimit = 50_000

    private let characters: [Character]
    private var index = 0

    static func tokens(of text: String) throws(ConditionSyntaxError) -> [ConditionToken] {
        guard text.utf8.count <= byteLimit else {
            throw ConditionSyntaxError(
                column: 1, message: "A condition may have at most \(byteLimit) bytes; this one has more.")
        }
        var lexer = ConditionLexer(characters: Array(text))
        var tokens: [ConditionToken] = []
        repeat { tokens.append(try lexer.next()) } while tokens.last?.kind != .end
        return tokens
    }

    private init(characters: [Character]) { self.characters = characters }

    private var current: Character? { characters.indices.contains(index) ? characters[index] : nil }

    private mutating func next() throws(ConditionSyntaxError) -> ConditionToken {
        while let character = current, character == " " || character.isNewline || character == "\t" { index += 1 }
        let column = index + 1
        guard let first = current else { return ConditionToken(kind: .end, column: column) }
        let kind: ConditionToken.Kind
        if first == "'" {
            kind = .text(try text())
        } else if Self.isDigit(first) || first == "-" && characters.dropFirst(index + 1).first.map(Self.isDigit) == true
        {
            kind = .number(try number())
        } else if Self.isLetter(first) {
            kind = .word(run { Self.isLetter($0) || Self.isDigit($0) })
        } else {
            kind = .sign(try sign(first))
        }
        return ConditionToken(kind: kind, column: column)
    }

    private mutating func run(while isPart: (Character) -> Bool) -> String {
        let start = index
        while let character = current, isPart(character) { index += 1 }
        return String(characters[start..<index])
    }

    /// A text in single quotes. A backslash escapes a quote or a backslash.
    private mutating func text() throws(ConditionSyntaxError) -> String {
        let start = index
        index += 1
        var text = ""
        while let character = current {
            index += 1
            switch character {
            case "'": return text
            case "\\" where current == "'" || current == "\\":
                text.append(characters[index])
                index += 1
            default: text.append(character)
            }
        }
        throw ConditionSyntaxError(column: start + 1, message: "This text has no end; close it with a single quote.")
    }

    private mutating func number() throws(ConditionSyntaxError) -> ConditionNumber {
        let start = index
        if current == "-" { index += 1 }
        index = characters[index...].firstIndex { !Self.isDigit($0) && $0 != "." } ?? characters.count
        let digits = String(characters[start..<index])
        guard let number = ConditionNumber(digits) else {
            throw ConditionSyntaxError(column: start + 1, message: "'\(digits)' is not a number.")
        }
        return number
    }

    private mutating func sign(_ first: Character) throws(ConditionSyntaxError) -> String {
        let start = index
        index += 1
        let two = String(first) + (current.map { String($0) } ?? "")
        if ["&&", "||", "<=", ">=", "==", "!="].contains(two) {
            index += 1
            return two
        }
        guard ".()[],<>!".contains(first) else { throw Self.unreadable(first, column: start + 1) }
        return String(first)
    }

    private static func unreadable(_ character: Character, column: Int) -> ConditionSyntaxError {
        switch character {
        case "\"": ConditionSyntaxError(column: column, message: "Put texts in single quotes, not in double quotes.")
        case "&": ConditionSyntaxError(column: column, message: "Terms are joined by '&&'.")
        case "=": ConditionSyntaxError(column: column, message: "Compare with '=='.")
        default: ConditionSyntaxError(column: column, message: "This character has no meaning here.")
        }
    }

    private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }

    private static func isLetter(_ character: Character) -> Bool {
        ("a"..."z").contains(character) || ("A"..."Z").contains(character) || character == "_"
    }
}
