/// The regular expressions of conditions that are kept together: each one is compiled once, and no more of them than may be.
final class PatternShelf {
    /// What is said of conditions that have more.
    struct Full: Error {
        let message: String
    }

    private let limitInstructions: Int
    /// Whose expressions they are, as an error says it.
    private let owner: String
    private var patterns: [String: TextPattern] = [:]
    private(set) var instructions = 0
    /// Once one had no room, nothing is compiled any more: whatever comes then costs nothing.
    private var isFull = false

    init(limitInstructions: Int, owner: String) {
        self.limitInstructions = limitInstructions
        self.owner = owner
    }

    /// - Throws: `TextPattern.Malformed`, or `Full`.
    func pattern(_ text: String) throws -> TextPattern {
        if let known = patterns[text] { return known }
        // Before it is compiled: one that is too long to be read is not.
        try take(TextPattern.readingCost(of: text), of: text)
        let made = try TextPattern(text)
        try take(made.instructions, of: text)
        patterns[text] = made
        instructions += made.instructions
        return made
    }

    /// Takes in one that was compiled before, which costs no time but counts all the same.
    ///
    /// - Returns: the one to use: another one of the same text, where that is here already.
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
