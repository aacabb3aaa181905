/// The regular expressions of conditions that belong together: each is compiled once, within a limit for all of them.
final class PatternCache {
    /// The error for conditions above the limit.
    struct Full: Error {
        let message: String
    }

    private let limitInstructions: Int
    /// To what the expressions belong, in the words of an error.
    private let owner: String
    private var patterns: [String: TextPattern] = [:]
    private(set) var instructions = 0
    /// After the first expression above the limit, nothing is compiled any more, so that further ones cost nothing.
    private var isFull = false

    init(limitInstructions: Int, owner: String) {
        self.limitInstructions = limitInstructions
        self.owner = owner
    }

    /// - Throws: `TextPattern.Malformed`, or `Full`.
    func pattern(_ text: String) throws -> TextPattern {
        if let known = patterns[text] { return known }
        // Before it is compiled, so that an expression that is too long is never parsed.
        try take(TextPattern.readingCost(of: text), of: text)
        let made = try TextPattern(text)
        try take(made.instructions, of: text)
        patterns[text] = made
        instructions += made.instructions
        return made
    }

    /// Adds an expression that was compiled before. It takes no time, but counts against the limit.
    ///
    /// - Returns: the expression to use, which is another one of the same text if the cache already has one.
    func add(_ known: TextPattern) throws(Full) -> TextPattern {
        if let present = patterns[known.text] { return present }
        try take(known.instructions, of: known.text)
        patterns[known.text] = known
        instructions += known.instructions
        return known
    }

    private func take(_ wanted: Int, of text: String) throws(Full) {
        guard wanted <= ConditionLimits.expressionInstructions else {
            throw Full(
                message: """
                    '\(text.prefix(60))' is too large: it needs \(wanted) instructions, and one regular expression may need \
                    \(ConditionLimits.expressionInstructions). Repeat less often, or ask for less.
                    """)
        }
        guard !isFull, instructions + wanted <= limitInstructions else {
            isFull = true
            throw Full(
                message: """
                    The regular expressions up to here need more than the \(limitInstructions) instructions that those of \
                    \(owner) may need together. Write fewer or shorter ones, with smaller repetitions; contains and \
                    exactlyMatches need none, and an expression that stands in several conditions counts once.
                    """)
        }
    }
}
