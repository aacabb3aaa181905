/// A word, a text, a number or a sign of a condition, with its position.
struct ConditionToken: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case word(String)
        case text(String)
        case number(ConditionNumber)
        case sign(String)
        case end
    }

    let kind: Kind
    /// Counted from 1.
    let column: Int

    /// The token's name in errors.
    var name: String {
        switch kind {
        case .word(let word): "'\(word)'"
        case .text: "a text"
        case .number: "a number"
        case .sign(let sign): "'\(sign)'"
        case .end: "the end"
        }
    }
}
