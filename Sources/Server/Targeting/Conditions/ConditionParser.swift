/// Reads terms from tokens. What each element of the language looks like is in `ConditionParser+Elements.swift`.
struct ConditionParser {
    private let tokens: [ConditionToken]
    private var index = 0
    /// Regular expressions read up to now.
    var patternCount = 0
    let patterns: PatternShelf

    static func terms(of text: String, patterns: PatternShelf) throws(ConditionSyntaxError) -> [ConditionTerm] {
        var parser = ConditionParser(tokens: try ConditionLexer.tokens(of: text), patterns: patterns)
        var terms: [ConditionTerm] = []
        repeat {
            guard terms.count < Condition.termLimit else {
                throw parser.error("A condition has at most \(Condition.termLimit) terms.")
            }
            terms.append(try parser.term())
        } while parser.skip(sign: "&&")
        // The text is Firebase's own, which people search for.
        if parser.isNext(sign: "||") { throw parser.error("Expected exactly one term in OR condition here") }
        guard parser.current.kind == .end else { throw parser.error(expecting: "'&&' or the end") }
        return terms
    }

    private init(tokens: [ConditionToken], patterns: PatternShelf) {
        self.tokens = tokens
        self.patterns = patterns
    }

    var current: ConditionToken { tokens[index] }

    func error(_ message: String, at token: ConditionToken? = nil) -> ConditionSyntaxError {
        ConditionSyntaxError(column: (token ?? current).column, message: message)
    }

    func error(expecting expected: String) -> ConditionSyntaxError {
        error("Expected \(expected), found \(current.name).")
    }

    @discardableResult
    mutating func advance() -> ConditionToken {
        defer { if index < tokens.count - 1 { index += 1 } }
        return current
    }

    func isNext(sign: String) -> Bool { current.kind == .sign(sign) }

    func isNext(word: String) -> Bool { current.kind == .word(word) }

    /// Takes the sign if it is next.
    mutating func skip(sign: String) -> Bool {
        guard isNext(sign: sign) else { return false }
        advance()
        return true
    }

    mutating func expect(sign: String) throws(ConditionSyntaxError) {
        guard skip(sign: sign) else { throw error(expecting: "'\(sign)'") }
    }

    mutating func expect(word: String) throws(ConditionSyntaxError) {
        guard isNext(word: word) else { throw error(expecting: "'\(word)'") }
        advance()
    }

    mutating func word(_ expected: String) throws(ConditionSyntaxError) -> String {
        guard case .word(let word) = current.kind else { throw error(expecting: expected) }
        advance()
        return word
    }

    mutating func text(_ expected: String) throws(ConditionSyntaxError) -> String {
        guard case .text(let text) = current.kind else { throw error(expecting: "\(expected) in single quotes") }
        advance()
        return text
    }

    mutating func number() throws(ConditionSyntaxError) -> Double {
        guard case .number(let number) = current.kind else { throw error(expecting: "a number") }
        advance()
        return number
    }

    /// One of the comparisons that the element has.
    mutating func comparison(
        of allowed: [Comparison] = Comparison.allCases
    ) throws(ConditionSyntaxError) -> Comparison {
        if case .sign(let sign) = current.kind, let comparison = Comparison(rawValue: sign),
            allowed.contains(comparison)
        {
            advance()
            return comparison
        }
        throw error(expecting: allowed.map { "'\($0.rawValue)'" }.joined(separator: ", "))
    }

    /// `['a', 'b']`, with at least one text.
    mutating func list() throws(ConditionSyntaxError) -> [String] {
        try expect(sign: "[")
        var items: [String] = []
        repeat {
            guard items.count < Condition.itemLimit else {
                throw error("A list has at most \(Condition.itemLimit) items.")
            }
            items.append(try text("a text"))
        } while skip(sign: ",")
        guard skip(sign: "]") else { throw error(expecting: "',' or ']'") }
        return items
    }
}
