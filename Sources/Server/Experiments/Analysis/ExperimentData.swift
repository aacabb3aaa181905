/// What was counted of an experiment up to now, in the order of its variants.
public struct ExperimentData: Sendable, Hashable {
    /// Installations that were exposed.
    public var exposures: [Int]
    public var goal: [Sample]
    /// By guardrail, then by variant.
    public var guardrails: [[Sample]]

    public init(exposures: [Int], goal: [Sample], guardrails: [[Sample]] = []) {
        self.exposures = exposures
        self.goal = goal
        self.guardrails = guardrails
    }
}
