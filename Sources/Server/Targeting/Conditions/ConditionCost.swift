/// How many steps a term takes at most: so many, and so many more for each byte of what the device says.
public struct ConditionCost: Sendable, Hashable {
    public var fixedSteps: Int
    public var stepsPerByte: Int

    public init(fixedSteps: Int = 0, stepsPerByte: Int = 0) {
        self.fixedSteps = fixedSteps
        self.stepsPerByte = stepsPerByte
    }

    /// For a text of that length.
    public func steps(bytes: Int) -> Int { fixedSteps + stepsPerByte * bytes }

    public static func + (left: ConditionCost, right: ConditionCost) -> ConditionCost {
        ConditionCost(
            fixedSteps: left.fixedSteps + right.fixedSteps, stepsPerByte: left.stepsPerByte + right.stepsPerByte)
    }
}

extension ConditionTerm {
    /// To begin a search, or to compare two words, whatever their length.
    private static let call = 16

    var cost: ConditionCost {
        switch self {
        case .literal, .time: ConditionCost(fixedSteps: Self.call)
        case .text(let signal, let comparison): comparison.cost + signal.cost
        // Read as a number, and blanks are looked for at both ends.
        case .number(let signal, _, _): ConditionCost(fixedSteps: 200, stepsPerByte: 4) + signal.cost
        case .version(let signal, _, _): ConditionCost(fixedSteps: 500, stepsPerByte: 4) + signal.cost
        case .word: ConditionCost(fixedSteps: 4 * Self.call, stepsPerByte: 1)
        case .language(let ranges): ConditionCost(fixedSteps: ranges.count * 2 * Self.call)
        // The device's own words are counted in place of bytes.
        case .set(_, _, let words): ConditionCost(fixedSteps: words.count * 4 * Self.call, stepsPerByte: 4 * Self.call)
        case .percent: ConditionCost(fixedSteps: ConditionLimits.drawSteps)
        }
    }
}

extension ConditionSignal {
    /// To find it among what the device says.
    fileprivate var cost: ConditionCost {
        switch self {
        case .userProperty(let key), .customSignal(let key): ConditionCost(fixedSteps: 64 + key.utf8.count)
        default: ConditionCost(fixedSteps: 1)
        }
    }
}

extension TextComparison {
    fileprivate var cost: ConditionCost {
        switch self {
        // As if each item was looked for over the whole text.
        case .contains(let items), .notContains(let items), .exactlyMatches(let items):
            ConditionCost(fixedSteps: 16 * items.count, stepsPerByte: items.count + 4)
        case .matches(let patterns):
            patterns.reduce(ConditionCost()) {
                $0 + ConditionCost(fixedSteps: 16 * $1.instructions, stepsPerByte: $1.instructions)
            }
        }
    }
}
