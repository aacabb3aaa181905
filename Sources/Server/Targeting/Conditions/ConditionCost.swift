/// How many steps a term takes at most: so many, and so many more for each byte of what the device says.
package struct ConditionCost: Sendable, Hashable {
    package var fixedSteps: Int
    package var stepsPerByte: Int

    package init(fixedSteps: Int = 0, stepsPerByte: Int = 0) {
        self.fixedSteps = fixedSteps
        self.stepsPerByte = stepsPerByte
    }

    /// For a text of that length.
    package func steps(bytes: Int) -> Int { fixedSteps + stepsPerByte * bytes }

    package static func + (left: ConditionCost, right: ConditionCost) -> ConditionCost {
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

/// What conditions may cost, whoever wrote them and whatever devices say.
///
/// Two things are counted. *Instructions* are what RE2 makes of regular expressions, and what it takes to read them: the memory of
/// conditions and the time to read them go with their number. *Steps* are what answering one device takes: a byte of text under one
/// instruction is one step, which takes a nanosecond or two at worst and usually a tenth of that.
package enum ConditionLimits {
    /// Of one regular expression.
    package static let expressionInstructions = 8_000
    /// Of all regular expressions of a condition that stands alone: of a release or of an experiment.
    package static let conditionInstructions = 10_000
    /// Of the conditions of all releases under way and all running experiments of a project together.
    package static let projectInstructions = 100_000
    /// Of all different regular expressions of a template together. Ordinary ones have 10 to 100.
    package static let templateInstructions = 400_000
    /// For one answer to a fetch: a twentieth of a second of one processor, or two.
    package static let fetchSteps = 50_000_000
    /// For one answer to a question for a model.
    package static let modelSteps = 10_000_000
    /// What one draw by chance takes, a SHA-256.
    package static let drawSteps = 500
}
