/// Reads conditions that are kept together, such as those of a template: each text and each regular expression once, and no
/// more regular expressions than they may have together.
package struct ConditionReader {
    /// What was read, by text.
    package private(set) var conditions: [String: Condition] = [:]
    private let known: [String: Condition]
    private let patterns: PatternCache

    /// - Parameters:
    ///   - known: conditions that were read before. They are not read again, and count all the same.
    ///   - owner: whose conditions they are, as an error says it.
    package init(
        limitInstructions: Int = ConditionLimits.templateInstructions, owner: String = "a template",
        known: [String: Condition] = [:]
    ) {
        self.known = known
        patterns = PatternCache(limitInstructions: limitInstructions, owner: owner)
    }

    /// How many instructions the regular expressions have up to now.
    package var instructions: Int { patterns.instructions }

    /// - Throws: what `Condition.init` throws; `isTooLarge` is true of the error where the condition has no room beside those
    ///   that were read before.
    package mutating func read(_ text: String) throws(ConditionSyntaxError) -> Condition {
        if let condition = conditions[text] { return condition }
        let condition: Condition
        if let old = known[text] {
            condition = try adopt(old)
        } else {
            condition = try Condition(text, patterns: patterns)
        }
        conditions[text] = condition
        return condition
    }

    /// - Returns: the condition; one that shares the expressions which are here already, where it has copies of its own.
    private func adopt(_ condition: Condition) throws(ConditionSyntaxError) -> Condition {
        var hasCopies = false
        do throws(PatternCache.Full) {
            for pattern in condition.patterns where try patterns.add(pattern) !== pattern { hasCopies = true }
        } catch {
            throw ConditionSyntaxError(column: 1, message: error.message, isTooLarge: true)
        }
        // Else copies would add up from template to template, and count once. Nothing is compiled: all are on the shelf.
        return hasCopies ? try Condition(condition.text, patterns: patterns) : condition
    }
}

/// The regular expressions of conditions that are kept together: each one is compiled once, and no more of them than may be.
final class PatternCache {
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
