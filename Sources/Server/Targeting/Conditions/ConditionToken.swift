/// A word, a text, a number or a sign of a condition, and where it begins.
struct ConditionToken: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case word(String)
        case text(String)
        case number(Double)
        case sign(String)
        case end
    }

    let kind: Kind
    /// Counted from 1.
    let column: Int

    /// How an error names it.
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
