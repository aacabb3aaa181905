import HearthLocalCommands
import HearthTargeting
import HearthWire

/// A condition that cannot be read, with a mark below the character where it goes wrong, for a terminal.
enum ConditionMark {
    /// Nil where the text is a condition.
    static func text(_ expression: String) -> String? {
        do throws(ConditionSyntaxError) {
            _ = try Condition(expression)
            return nil
        } catch {
            let lines = error.marked(in: expression).split(separator: "\n", omittingEmptySubsequences: false)
            return lines.map { String($0).printable }.joined(separator: "\n")
        }
    }

    /// Of the template's first condition that is none.
    static func text(in template: ConfigTemplate) -> String? {
        (template.conditions ?? []).lazy.compactMap { text($0.expression) }.first
    }
}
