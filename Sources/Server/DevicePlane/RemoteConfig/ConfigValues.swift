import HearthExperiments
package import HearthRemoteConfigTemplates
package import HearthServing
package import HearthTargeting

/// What a device gets of a template: the template's values, then those of the running experiments.
package struct ConfigValues {
    package private(set) var resolution: CompiledTemplate.Resolution
    /// The experiments that the device takes part in, and the indices of its variants.
    package let assignments: [(experiment: ServedExperiment, variant: Int)]
    /// Nil if the device has none.
    package let pins: DevicePins?
    /// Whether the device got only a part of the template, because the rest takes too many steps.
    let isExhausted: Bool
    /// Nil unless it was wanted.
    package let explanation: CompiledTemplate.Explanation?

    /// - Parameters:
    ///   - part: the project's experiments and pins; nil for a template that takes part in none.
    ///   - isExplained: also finds out why. Takes up to twice as long.
    package init(
        _ compiled: CompiledTemplate, for facts: DeviceFacts, in part: ServingSnapshot.ProjectPart?,
        nowMicroseconds: Int64, isExplained: Bool = false
    ) {
        var subject = EvaluationContext(facts, nowMicroseconds: nowMicroseconds)
        pins = part?.pins?.pins(of: facts.installationID) { facts.tags }
        assignments = part?.experiments.assignments(of: &subject, pins: pins) ?? []
        let variants = assignments.reduce(into: [String: String]()) { variants, own in
            variants[own.experiment.experiment.name] = own.experiment.experiment.variants[own.variant].name
        }
        if isExplained {
            let explanation = compiled.explain(for: &subject, variants: variants)
            resolution = explanation.resolution
            self.explanation = explanation
        } else {
            resolution = compiled.resolve(for: &subject, variants: variants)
            explanation = nil
        }
        for own in assignments { resolution.replace(with: own.experiment.entries[own.variant]) }
        isExhausted = subject.isExhausted
    }
}
