import HearthCalls
import HearthDevicePlane
import HearthExperiments
import HearthRemoteConfigTemplates
import HearthServing
import HearthTargeting

/// How an evaluation looks on the wire.
struct EvaluationPresentation {
    private typealias Bodies = TemplateEvaluationBodies

    let parameters: [TemplateEvaluationBodies.Parameter]
    let conditions: [TemplateEvaluationBodies.Condition]

    /// - Parameter values: with their explanation.
    init(_ values: ConfigValues, _ facts: DeviceFacts) {
        let conditions = (values.explanation?.conditions ?? []).map(Self.condition)
        let undecided = Set(conditions.lazy.filter { $0.result == "undecided" }.map(\.name))
        let isUnknown = facts.installationID.isEmpty
        let entries = Dictionary(
            values.resolution.entries.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        var parameters: [String: TemplateEvaluationBodies.Parameter] = [:]
        for found in values.explanation?.parameters ?? [] {
            parameters[found.key] = Self.parameter(
                found, value: entries[found.key], undecided: undecided, isUnknown: isUnknown)
        }
        for own in values.assignments {
            let experiment = own.experiment.experiment
            for entry in own.experiment.entries[own.variant] {
                var parameter = Bodies.Parameter(key: entry.key, value: entries[entry.key], source: "experiment")
                parameter.experiment = experiment.name
                parameter.variant = experiment.variants[own.variant].name
                parameters[entry.key] = parameter
            }
        }
        self.parameters = parameters.values.sorted { $0.key < $1.key }
        self.conditions = conditions
    }

    private static func condition(
        _ found: CompiledTemplate.Explanation.Condition
    ) -> TemplateEvaluationBodies.Condition {
        func shown(_ result: String, _ because: String? = nil) -> TemplateEvaluationBodies.Condition {
            Bodies.Condition(name: found.name, expression: found.expression, result: result, because: because)
        }
        switch found.finding {
        case .holds: return shown("true")
        case .fails(let column):
            var condition = shown("false", "term")
            condition.column = column
            return condition
        case .unreadable(let form, let signal, let column):
            var condition = shown("false", form == .number ? "notANumber" : "notAVersion")
            condition.column = column
            condition.signals = [signal]
            return condition
        case .unsupported(let signals):
            var condition = shown("false", "unsupported")
            condition.signals = signals
            return condition
        case .missing(let signals):
            var condition = shown("undecided", "missing")
            condition.signals = signals
            return condition
        case .exhausted: return shown("undecided", "steps")
        case .tooLarge: return shown("undecided", "tooLarge")
        }
    }

    /// - Parameter isUnknown: whether the device has no id, so that no share of the installations is decided.
    private static func parameter(
        _ found: CompiledTemplate.Explanation.Parameter, value: String?, undecided: Set<String>, isUnknown: Bool
    ) -> TemplateEvaluationBodies.Parameter {
        var parameter = Bodies.Parameter(
            key: found.key, value: value, source: found.choice.condition == nil ? "default" : "condition")
        parameter.condition = found.choice.condition
        switch found.choice.kind {
        case .plain, .personalization: break
        case .rollout(let id): parameter.rollout = id
        case .experiment(let id, let variant):
            parameter.source = "experiment"
            (parameter.experiment, parameter.variant) = (id, variant)
        }
        let skipped = found.skipped.map(Self.skipped)
        parameter.skipped = skipped.isEmpty ? nil : skipped
        let open =
            found.failed.filter(undecided.contains)
            + (isUnknown ? skipped.filter { $0.because != "personalization" }.map(\.condition) : [])
        parameter.undecided = open.isEmpty ? nil : open
        return parameter
    }

    private static func skipped(
        _ choice: CompiledTemplate.Explanation.Choice
    ) -> TemplateEvaluationBodies.Parameter.Skipped {
        let (because, id): (String, String?) =
            switch choice.kind {
            case .plain, .personalization: ("personalization", nil)
            case .rollout(let id): ("rollout", id)
            case .experiment(let id, _): ("experiment", id)
            }
        return Bodies.Parameter.Skipped(condition: choice.condition ?? "", because: because, id: id)
    }

    /// The running experiments of the project, and whether the device takes part.
    static func experiments(
        _ part: ServingSnapshot.ProjectPart, _ values: ConfigValues, _ facts: DeviceFacts, nowMicroseconds: Int64
    ) -> [TemplateEvaluationBodies.Experiment] {
        var subject = EvaluationContext(facts, nowMicroseconds: nowMicroseconds)
        return part.experiments.explain(of: &subject, pins: values.pins).map { finding in
            let experiment = finding.experiment
            var shown = Bodies.Experiment(experiment: experiment.name, isIncluded: finding.absence == nil)
            let own = values.assignments.first { $0.experiment.experiment.name == experiment.name }
            shown.variant = own.map { experiment.variants[$0.variant].name }
            shown.audience = experiment.audience.isEmpty ? nil : experiment.audience
            let keys = experiment.parameterKeys.sorted()
            shown.parameters = keys.isEmpty ? nil : keys
            if let absence = finding.absence {
                (shown.because, shown.otherExperiment) = absence.words
                if facts.installationID.isEmpty { (shown.because, shown.otherExperiment) = ("installation", nil) }
            }
            return shown
        }
    }
}
