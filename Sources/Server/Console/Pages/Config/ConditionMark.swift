import HearthWire

/// Where an expression goes wrong: the API names the column.
struct ConditionMark {
    private let column: Int
    private let message: String
    /// The name of the condition.
    let condition: String?
    /// How much of a long expression is shown on each side of the column.
    private static let margin = 70

    /// Nil if the refusal is about something else.
    init?(_ problem: APIFailure?) {
        guard let violation = problem?.violations.first(where: { $0.column != nil }), let column = violation.column
        else { return nil }
        self.column = column
        message = violation.description
        condition = violation.condition
    }

    /// The expression with a caret below the wrong character.
    func markup(in expression: String, id: String) -> Markup {
        .joined {
            pre(.id(id), .class("mark")) {
                Self.text(expression, column: column)
                "\n\(message)"
            }
        }
    }

    /// On one line, whatever characters it has, so that the caret is under the right one.
    static func text(_ expression: String, column: Int) -> String {
        let line = expression.map { $0.isNewline || $0 == "\t" ? " " : $0 }
        let place = min(max(0, column - 1), line.count)
        let start = max(0, place - margin)
        let end = min(line.count, place + margin)
        let (before, after) = (start > 0 ? "…" : "", end < line.count ? "…" : "")
        return before + String(line[start..<end]) + after + "\n"
            + String(repeating: " ", count: place - start + before.count) + "^"
    }
}
