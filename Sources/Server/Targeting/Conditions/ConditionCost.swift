/// The most steps that a term takes: a fixed number, and a number for each byte of the device's text.
package struct ConditionCost: Sendable, Hashable {
    package var fixedSteps: Int
    package var stepsPerByte: Int

    package init(fixedSteps: Int = 0, stepsPerByte: Int = 0) {
        self.fixedSteps = fixedSteps
        self.stepsPerByte = stepsPerByte
    }

    /// The steps for a text of that length.
    package func steps(bytes: Int) -> Int { fixedSteps + stepsPerByte * bytes }

    package static func + (left: ConditionCost, right: ConditionCost) -> ConditionCost {
        ConditionCost(
            fixedSteps: left.fixedSteps + right.fixedSteps, stepsPerByte: left.stepsPerByte + right.stepsPerByte)
    }
}

extension ConditionTerm {
    /// The steps to begin a search, or to compare two words of any length.
    private static let call = 16

    var cost: ConditionCost {
        switch self {
        case .literal, .time: ConditionCost(fixedSteps: Self.call)
        case .text(let signal, let comparison): comparison.cost + signal.cost
        // For parsing a number, and for finding blanks at both ends.
        case .number(let signal, _, _): ConditionCost(fixedSteps: 200, stepsPerByte: 4) + signal.cost
        case .version(let signal, _, _): ConditionCost(fixedSteps: 500, stepsPerByte: 4) + signal.cost
        case .word: ConditionCost(fixedSteps: 4 * Self.call, stepsPerByte: 1)
        case .language(let ranges): ConditionCost(fixedSteps: ranges.count * 2 * Self.call)
        // The number of the device's words takes the place of the bytes.
        case .set(_, _, let words): ConditionCost(fixedSteps: words.count * 4 * Self.call, stepsPerByte: 4 * Self.call)
        case .percent: ConditionCost(fixedSteps: ConditionLimits.drawSteps)
        }
    }
}

extension ConditionSignal {
    /// The steps to find the signal among those of the device.
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
        // As if each item were searched for in the whole text.
        case .contains(let items), .notContains(let items), .exactlyMatches(let items):
            ConditionCost(fixedSteps: 16 * items.count, stepsPerByte: items.count + 4)
        case .matches(let patterns):
            patterns.reduce(ConditionCost()) {
                $0 + ConditionCost(fixedSteps: 16 * $1.instructions, stepsPerByte: $1.instructions)
            }
        }
    }
}

/// The limits of conditions, independent of their author and of the values that devices send.
///
/// Two quantities are counted. *Instructions* are those into which RE2 compiles regular expressions, and the effort of
/// parsing them: the memory and the parsing time of conditions grow with their number. *Steps* are the effort of
/// answering one device: a byte of text under one instruction is one step, which takes at most one or two nanoseconds,
/// and usually a tenth of that.
package enum ConditionLimits {
    /// For one regular expression.
    package static let expressionInstructions = 8_000
    /// For all regular expressions of a single condition: that of a release or of an experiment.
    package static let conditionInstructions = 10_000
    /// For the conditions of all releases under way and all running experiments of a project together.
    package static let projectInstructions = 100_000
    /// For all different regular expressions of a template together. Ordinary ones have 10 to 100.
    package static let templateInstructions = 400_000
    /// For one answer to a fetch: about a twentieth to a tenth of a second on one processor.
    package static let fetchSteps = 50_000_000
    /// For one answer to a device that asks for a model.
    package static let modelSteps = 10_000_000
    /// The steps of one random draw, which is a SHA-256.
    package static let drawSteps = 500
}
