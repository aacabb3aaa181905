/// What an operator requires of its operands and options, in one row of the table.
struct OperatorRequirement: Equatable {
    var inputs: [OperandRequirement]
    var outputs: [OperandRequirement]
    var options: OptionRequirement?
}

/// The ranges that an operator requires for numbers of its options.
struct OptionRequirement: Equatable {
    /// The number of the options' type in the format. Missing options, or options of another type, count as all
    /// defaults.
    var kind: UInt8
    var fields: [Field]

    struct Field: Equatable {
        var id: Int
        /// Whether the format stores it in one byte, as types of elements; otherwise in four.
        var isByte = false
        var range: ClosedRange<Int>
        /// The value of the field where the file lacks it.
        var defaultValue = 0
    }
}

extension OperatorRequirement {
    /// Reads the part of a table's row after its name: `T f32/4 > T | 5 1=1- 2=1-`, followed by the meaning of its
    /// letters (`T: f32,i8`). Traps on mistakes, because callers pass constants.
    init(_ row: Substring, typeVariables: [Character: TypeSet]) {
        let halves = row.split(separator: "|", omittingEmptySubsequences: false)
        // Splits only at a separate `>`; others belong to operands.
        let sides = (halves[0] + " ").split(separator: " > ", omittingEmptySubsequences: false)
        let operands = sides.map { side in
            side.split(separator: " ").map { OperandRequirement($0, typeVariables: typeVariables) }
        }
        inputs = operands[0]
        outputs = operands[1]
        options = halves.count > 1 ? OptionRequirement(halves[1]) : nil
    }
}

extension OptionRequirement {
    /// Reads `5 1=1- 2=1-8,1 3b=2-4`: the type's number, then fields with their range and, if it is not 0, their default;
    /// `b` marks a field of one byte.
    fileprivate init(_ text: Substring) {
        let words = text.split(separator: " ")
        kind = UInt8(words[0])!
        fields = words.dropFirst().map { word in
            let sides = word.split(separator: "=")
            let values = sides[1].split(separator: ",")
            let bounds = values[0].split(separator: "-").map { Int($0)! }
            return Field(
                id: Int(sides[0].filter(\.isNumber))!, isByte: sides[0].hasSuffix("b"),
                range: bounds[0]...(values[0].hasSuffix("-") ? Int(Int32.max) : bounds[1]),
                defaultValue: values.count > 1 ? Int(values[1])! : 0)
        }
    }
}

/// What an operator requires of one of its operands.
struct OperandRequirement: Equatable {
    enum Scale: Equatable {
        case any
        /// Integers are plain numbers: the only zero point is 0.
        case none
        /// Small integers have one scale for the whole tensor.
        case ofTensor
        /// Small integers have a scale for the whole tensor, or one for each channel.
        case ofChannels
        /// Small integers have one scale for the tensor, one for each channel, or one for each block of a few elements.
        case ofBlocks
    }

    var types: TypeSet
    /// Operands of one operator with the same letter have the same type.
    var typeVariable: Character?
    /// May be omitted with -1.
    var isOptional = false
    /// The list may end before this operand.
    var canEndBefore = false
    /// Applies to the rest of the list, with at least this many operands.
    var minimumCount: Int?
    var rank: ClosedRange<Int>?
    var elements: ClosedRange<Int>?
    var scale = Scale.any
    /// Integers must be above 0, if they are constants.
    var isPositive = false
    /// Operands of one operator with the same letter here have the same shape.
    var shapeVariable: Character?
}

extension OperandRequirement {
    /// Reads one operand of a row: `f32,i8~/4`, `?i32/1`, `+T`. Traps on mistakes, because callers pass constants.
    ///
    /// | Mark | Meaning |
    /// |---|---|
    /// | `?` before | may be omitted with -1, or be missing at the end of the list |
    /// | `-` before | may be omitted with -1, but must be in the list |
    /// | `*`, `+` before | any number of operands, or at least one |
    /// | `_` before | may be missing at the end of the list, but not be omitted with -1 |
    /// | `=` | no zero point other than 0 |
    /// | `~`, `^`, `&` | small integers have one scale; or also one for each channel; or also one for each block |
    /// | `/4`, `/1-4` | rank |
    /// | `#2`, `#1-8` | number of elements |
    /// | `>` | positive, if constant |
    /// | `[S]` | the same shape as other operands with this letter |
    init(_ text: Substring, typeVariables: [Character: TypeSet]) {
        let types = text.drop { "?-_*+".contains($0) }.prefix { $0.isLetter || $0.isNumber || $0 == "," }
        if types.count == 1, let letter = types.first, let set = typeVariables[letter] {
            self.init(types: set, typeVariable: letter)
        } else {
            self.init(types: TypeSet(types))
        }
        let prefix = text.prefix { "?-_*+".contains($0) }
        isOptional = prefix.contains("?") || prefix.contains("-")
        canEndBefore = prefix.contains("?") || prefix.contains("_")
        minimumCount = prefix.contains("*") ? 0 : prefix.contains("+") ? 1 : nil
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
            case "[": (shapeVariable, rest) = (rest.first, rest.dropFirst(2))
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

/// The element types that an operand may have, as bits numbered like the format's types.
struct TypeSet: Equatable {
    let bits: UInt32

    func contains(_ type: ElementType) -> Bool {
        type.isKnown && bits & 1 << UInt32(type.rawValue) != 0
    }

    /// The list in error texts: "float32, int8 or int16".
    var text: String {
        let names = (0..<32).filter { bits & 1 << $0 != 0 }.map { ElementType(rawValue: UInt8($0)).description }
        return names.count < 2
            ? names.joined() : names.dropLast().joined(separator: ", ") + " or " + names[names.count - 1]
    }

    /// Reads names as in the tables, separated by commas. Traps on other names, because callers pass constants.
    init(_ names: some StringProtocol) {
        bits = names.split(separator: ",").reduce(0) { $0 | Self.bits[String($1)]! }
    }

    private static let names = [
        "f32", "f16", "i32", "u8", "i64", "str", "bool", "i16", "c64", "i8", "f64", "c128", "u64", "res", "var", "u32",
        "u16", "i4", "bf16", "i2", "u4", "f8a", "f8b",
    ]

    private static let bits: [String: UInt32] = {
        var bits = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, UInt32(1) << UInt32($0)) })
        let all = (UInt32(1) << UInt32(names.count)) - 1
        bits["any"] = all
        // Types with a fixed size, for which the shape determines a tensor's memory.
        bits["plain"] = all & ~(bits["str"]! | bits["res"]! | bits["var"]!)
        return bits
    }()
}
