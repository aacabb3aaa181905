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
