/// What an operator needs of its operands and options, in one of the ways in which it can be used.
struct OperatorNeeds: Equatable {
    var inputs: [OperandNeeds]
    var outputs: [OperandNeeds]
    var options: OptionNeeds?
}

/// Which numbers of its options an operator needs to be what.
struct OptionNeeds: Equatable {
    /// The number of the options' type in the format; absent options, or options of another type, count as all defaults.
    var kind: UInt8
    var fields: [Field]

    struct Field: Equatable {
        var id: Int
        var range: ClosedRange<Int>
        /// What the field counts as where the file lacks it.
        var standard = 0
    }
}

extension OperatorNeeds {
    /// Reads a row of a table behind its name: `T f32/4 > T | 5 1=1- 2=1-`, with the meaning of its letters behind it
    /// (`T: f32,i8`). Traps on mistakes: callers pass constants.
    init(_ row: Substring, letters: [Character: TypeSet]) {
        let halves = row.split(separator: "|", omittingEmptySubsequences: false)
        // `>` alone; others belong to operands.
        let sides = (halves[0] + " ").split(separator: " > ", omittingEmptySubsequences: false)
        let operands = sides.map { side in
            side.split(separator: " ").map { OperandNeeds($0, letters: letters) }
        }
        inputs = operands[0]
        outputs = operands[1]
        options = halves.count > 1 ? OptionNeeds(halves[1]) : nil
    }
}

extension OptionNeeds {
    /// `5 1=1- 2=1-8,1`: the type's number, then fields with their range and, where it is not 0, their default.
    fileprivate init(_ text: Substring) {
        let words = text.split(separator: " ")
        kind = UInt8(words[0])!
        fields = words.dropFirst().map { word in
            let sides = word.split(separator: "=")
            let values = sides[1].split(separator: ",")
            let bounds = values[0].split(separator: "-").map { Int($0)! }
            return Field(
                id: Int(sides[0])!, range: bounds[0]...(values[0].hasSuffix("-") ? Int(Int32.max) : bounds[1]),
                standard: values.count > 1 ? Int(values[1])! : 0)
        }
    }
}
