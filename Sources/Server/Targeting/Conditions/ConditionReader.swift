/// Parses conditions that belong together, such as those of a template: each text and each regular expression once,
/// within a limit for all regular expressions together.
package struct ConditionReader {
    /// The conditions parsed so far, by text.
    package private(set) var conditions: [String: Condition] = [:]
    private let known: [String: Condition]
    private let patterns: PatternCache

    /// - Parameters:
    ///   - known: conditions that were parsed before. They are not parsed again, but count against the limit.
    ///   - owner: to what the conditions belong, in the words of an error.
    package init(
        limitInstructions: Int = ConditionLimits.templateInstructions, owner: String = "a template",
        known: [String: Condition] = [:]
    ) {
        self.known = known
        patterns = PatternCache(limitInstructions: limitInstructions, owner: owner)
    }

    /// How many instructions the regular expressions have so far.
    package var instructions: Int { patterns.instructions }

    /// - Throws: what `Condition.init` throws. `isTooLarge` of the error is true if the condition and those before it
    ///   exceed the limit.
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

    /// - Returns: the condition, or, if other copies of its expressions are already in use, an equal one that shares
    ///   those.
    private func adopt(_ condition: Condition) throws(ConditionSyntaxError) -> Condition {
        var hasCopies = false
        do throws(PatternCache.Full) {
            for pattern in condition.patterns where try patterns.add(pattern) !== pattern { hasCopies = true }
        } catch {
            throw ConditionSyntaxError(column: 1, message: error.message, isTooLarge: true)
        }
        // Otherwise copies would add up from template to template but count once. This compiles nothing, because all
        // expressions are in the cache.
        return hasCopies ? try Condition(condition.text, patterns: patterns) : condition
    }
}

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
