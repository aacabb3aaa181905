/// Reads conditions that are kept together, such as those of a template: each text and each regular expression once, and no
/// more regular expressions than they may have together.
public struct ConditionReader {
    /// What was read, by text.
    public private(set) var conditions: [String: Condition] = [:]
    private let known: [String: Condition]
    private let patterns: PatternShelf

    /// - Parameters:
    ///   - known: conditions that were read before. They are not read again, and count all the same.
    ///   - owner: whose conditions they are, as an error says it.
    public init(
        limitInstructions: Int = ConditionLimits.templateInstructions, owner: String = "a template",
        known: [String: Condition] = [:]
    ) {
        self.known = known
        patterns = PatternShelf(limitInstructions: limitInstructions, owner: owner)
    }

    /// How many instructions the regular expressions have up to now.
    public var instructions: Int { patterns.instructions }

    /// - Throws: what `Condition.init` throws; `isTooLarge` is true of the error where the condition has no room beside those
    ///   that were read before.
    public mutating func read(_ text: String) throws(ConditionSyntaxError) -> Condition {
        if let condition = conditions[text] { return condition }
        let condition: Condition
        if let old = known[text] {
            condition = try takeOver(old)
        } else {
            condition = try Condition(text, patterns: patterns)
        }
        conditions[text] = condition
        return condition
    }

    /// - Returns: the condition; one that shares the expressions which are here already, where it has copies of its own.
    private func takeOver(_ condition: Condition) throws(ConditionSyntaxError) -> Condition {
        var hasCopies = false
        do throws(PatternShelf.Full) {
            for pattern in condition.patterns where try patterns.add(pattern) !== pattern { hasCopies = true }
        } catch {
            throw ConditionSyntaxError(column: 1, message: error.message, isTooLarge: true)
        }
        // Else copies would add up from template to template, and count once. Nothing is compiled: all are on the shelf.
        return hasCopies ? try Condition(condition.text, patterns: patterns) : condition
    }
}
