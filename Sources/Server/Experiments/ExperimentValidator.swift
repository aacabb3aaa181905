package import HearthCatalog
package import HearthTargeting
import HearthWire

/// Decides which experiments are allowed.
package enum ExperimentValidator {
    package static let variantLimit = 10
    package static let guardrailLimit = 10
    package static let subjectLimit = 50

    /// - Parameter conditions: parses the audience, and keeps the result for later use.
    /// - Returns: the audience; nil for all installations.
    @discardableResult
    package static func check(
        _ experiment: Experiment, conditions: ConditionCache = ConditionCache()
    ) throws(CatalogError) -> Condition? {
        guard WireNames.isDisplayName(experiment.name) else {
            throw invalid("An experiment's name must have 1 to 32 letters, digits, hyphens or underscores.")
        }
        try checkVariants(experiment.variants)
        guard (1...subjectLimit).contains(experiment.subjects.count) else {
            throw invalid(
                "An experiment must vary 1 to \(subjectLimit) parameters or models; this one varies \(experiment.subjects.count)."
            )
        }
        guard (1...Slots.count).contains(experiment.shareMillionths) else {
            throw invalid("An experiment's share must be more than 0 % and at most 100 % of all installations.")
        }
        if let layer = experiment.layer, !WireNames.isDisplayName(layer) {
            throw invalid("A layer's name must have 1 to 32 letters, digits, hyphens or underscores.")
        }
        let audience = try audience(experiment.audience, conditions)
        try checkMetrics(experiment)
        guard (100...100_000_000).contains(experiment.plannedExposures) else {
            throw invalid("The planned number of exposures must be 100 to 100,000,000 for each variant.")
        }
        guard (0.000_1...0.2).contains(experiment.errorRate) else {
            throw invalid("The error rate must be 0.0001 to 0.2.")
        }
        return audience
    }

    private static func checkVariants(_ variants: [Experiment.Variant]) throws(CatalogError) {
        guard (2...variantLimit).contains(variants.count) else {
            throw invalid("An experiment must have 2 to \(variantLimit) variants; the first is the control.")
        }
        guard Set(variants.map(\.name)).count == variants.count else {
            throw invalid("Two variants have the same name.")
        }
        for variant in variants {
            guard WireNames.isDisplayName(variant.name) else {
                throw invalid(
                    "A variant's name must have 1 to 32 letters, digits, hyphens or underscores: '\(variant.name)'.")
            }
            guard (1...1000).contains(variant.weight) else { throw invalid("A variant's weight must be 1 to 1000.") }
            guard variant.models.values.allSatisfy({ $0 > 0 }) else {
                throw invalid("A version must be one of the numbers 1, 2, 3 ….")
            }
        }
    }

    private static func audience(
        _ text: String, _ conditions: ConditionCache
    ) throws(CatalogError) -> Condition? {
        guard !text.isEmpty else { return nil }
        do throws(ConditionSyntaxError) {
            return try conditions.read(text)
        } catch {
            throw invalid("The audience is not a valid condition. \(error)", cause: error)
        }
    }

    private static func checkMetrics(_ experiment: Experiment) throws(CatalogError) {
        guard experiment.guardrails.count <= guardrailLimit else {
            throw invalid("An experiment may have at most \(guardrailLimit) guardrails.")
        }
        let metrics = experiment.metrics
        guard metrics.allSatisfy({ WireNames.isEventName($0.event) }) else {
            throw invalid(
                "An event's name must begin with a letter and have at most 40 letters, digits and underscores.")
        }
        guard metrics.allSatisfy({ $0.model.map(WireNames.isDisplayName) ?? true }) else {
            throw invalid("A metric must name its model by the model's display name.")
        }
        guard Set(metrics).count == metrics.count else { throw invalid("Two metrics of the experiment are the same.") }
        guard experiment.guardrails.allSatisfy({ $0.margin >= 0 && $0.margin <= 10 }) else {
            throw invalid("A guardrail's margin must be 0 to 10, as a fraction of the control's value.")
        }
    }

    private static func invalid(_ message: String, cause: (any Error)? = nil) -> CatalogError {
        CatalogError(.invalidArgument, message, cause: cause)
    }
}
