/// What conditions may cost, whoever wrote them and whatever devices say.
///
/// Two things are counted. *Instructions* are what RE2 makes of regular expressions, and what it takes to read them: the memory of
/// conditions and the time to read them go with their number. *Steps* are what answering one device takes: a byte of text under one
/// instruction is one step, which takes a nanosecond or two at worst and usually a tenth of that.
public enum ConditionLimits {
    /// Of one regular expression.
    public static let expressionInstructions = 8_000
    /// Of all regular expressions of a condition that stands alone: of a release or of an experiment.
    public static let conditionInstructions = 10_000
    /// Of the conditions of all releases under way and all running experiments of a project together.
    public static let projectInstructions = 100_000
    /// Of all different regular expressions of a template together. Ordinary ones have 10 to 100.
    public static let templateInstructions = 400_000
    /// For one answer to a fetch: a twentieth of a second of one processor, or two.
    public static let fetchSteps = 50_000_000
    /// For one answer to a question for a model.
    public static let modelSteps = 10_000_000
    /// What one draw by chance takes, a SHA-256.
    public static let drawSteps = 500
}
