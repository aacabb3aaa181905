/// Why a text is no condition, and where.
public struct ConditionSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The first character that cannot be read, counted from 1; one more than there are where the text ends too early.
    public let column: Int
    /// What is wrong there and what is expected, in one line.
    public let message: String
    /// Whether it is sound, and needs more than conditions may.
    public let isTooLarge: Bool

    init(column: Int, message: String, isTooLarge: Bool = false) {
        self.column = column
        self.message = message
        self.isTooLarge = isTooLarge
    }

    public var description: String { "Column \(column): \(message)" }

    /// The condition with a mark under the character, for a terminal.
    public func marked(in condition: String) -> String {
        // On one line, whatever it has, so that the mark stands under the character.
        String(condition.map { $0.isNewline || $0 == "\t" ? " " : $0 }) + "\n"
            + String(repeating: " ", count: max(0, column - 1)) + "^"
    }
}
