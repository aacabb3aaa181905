/// What an operator needs of one of its operands.
struct OperandNeeds: Equatable {
    enum Scale: Equatable {
        case any
        /// Integers are themselves: no zero point but 0.
        case none
        /// Small integers have one scale for the whole tensor.
        case ofTensor
        /// Small integers have a scale for the whole tensor, or one for each channel.
        case ofChannels
        /// Or one for each block of a few elements.
        case ofBlocks
    }

    var types: TypeSet
    /// Operands of one operator with the same letter have the same type.
    var letter: Character?
    /// May be left out with -1.
    var canBeLeftOut = false
    /// The list may end before it.
    var canBeAbsent = false
    /// Stands for the rest of the list; the number is how many there are at least.
    var least: Int?
    var rank: ClosedRange<Int>?
    var elements: ClosedRange<Int>?
    var scale = Scale.any
    /// Integers above 0, where they are constants.
    var isPositive = false
    /// Operands of one operator with the same letter here have the same shape.
    var shape: Character?
}

extension OperandNeeds {
    /// Reads one operand of a row: `f32,i8~/4`, `?i32/1`, `+T`. Traps on mistakes: callers pass constants.
    ///
    /// | | |
    /// |---|---|
    /// | `?` before | may be left out, or not be in the list |
    /// | `-` before | may be left out, but is in the list |
    /// | `*`, `+` before | any number of them, at least one of them |
    /// | `_` before | may not be in the list, but not be left out |
    /// | `=` | no zero point but 0 |
    /// | `~`, `^`, `&` | small integers have one scale, one for each channel too, or one for each block too |
    /// | `/4`, `/1-4` | rank |
    /// | `#2`, `#1-8` | number of elements |
    /// | `>` | positive where constant |
    /// | `[S]` | the same shape as others with this letter |
    init(_ text: Substring, letters: [Character: TypeSet]) {
        let types = text.drop { "?-_*+".contains($0) }.prefix { $0.isLetter || $0.isNumber || $0 == "," }
        if types.count == 1, let letter = types.first, let set = letters[letter] {
            self.init(types: set, letter: letter)
        } else {
            self.init(types: TypeSet(types))
        }
        let prefix = text.prefix { "?-_*+".contains($0) }
        canBeLeftOut = prefix.contains("?") || prefix.contains("-")
        canBeAbsent = prefix.contains("?") || prefix.contains("_")
        least = prefix.contains("*") ? 0 : prefix.contains("+") ? 1 : nil
        var rest = text[types.endIndex...]
        while let mark = rest.popFirst() {
            let value = rest.prefix { $0.isNumber || $0 == "-" }
            switch mark {
            case "=": scale = .none
            case "~": scale = .ofTensor
            case "^": scale = .ofChannels
            case "&": scale = .ofBlocks
            case "/": rank = Self.range(value)
            case "#": elements = Self.range(value)
            case ">": isPositive = true
            case "[": (shape, rest) = (rest.first, rest.dropFirst(2))
            default: preconditionFailure("the table has an operand \(text)")
            }
            rest = rest.dropFirst(value.count)
        }
    }

    private static func range(_ text: Substring) -> ClosedRange<Int> {
        let bounds = text.split(separator: "-").map { Int($0)! }
        return bounds[0]...(text.hasSuffix("-") ? Int.max : bounds[bounds.count - 1])
    }
}
