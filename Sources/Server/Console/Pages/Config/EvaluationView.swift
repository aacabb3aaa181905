import HearthCalls
import HearthCatalog
import HearthRemoteConfigTemplates
import HearthWire

/// What a device would get of a template, and why.
struct EvaluationView {
    private typealias Bodies = TemplateEvaluationBodies

    private static let limit = 300

    private let scope: ConfigScope
    private let result: TemplateEvaluationBodies.Result

    init(_ scope: ConfigScope, _ result: TemplateEvaluationBodies.Result) {
        self.scope = scope
        self.result = result
    }

    @MarkupBuilder
    var content: Markup {
        h2(.id("values")) { "What it gets" }
        p {
            switch result.version {
            case nil: "Of your draft"
            case 0: "Of an empty template, because no version is published yet"
            case let version?: "Of version \(version)"
            }
            ", at "
            Times.moment(result.time)
            "."
        }
        notes
        if result.parameters.isEmpty {
            p { "Nothing: the template has no parameters." }
        } else {
            DataTable("Values of the parameters", ["Parameter", "Value", "From"])
                .rows(Array(result.parameters.prefix(Self.limit)), row)
            if result.parameters.count > Self.limit {
                p {
                    "… and \(NumberText.count(result.parameters.count - Self.limit)) more. "
                    "The command below shows all of them."
                }
            }
        }
        if !result.conditions.isEmpty { conditions }
        if !result.experiments.isEmpty { experiments }
    }

    @MarkupBuilder
    private var notes: Markup {
        if result.installation != nil, !result.isRegistered {
            p(.class("hint")) { "No installation with this id is registered on this server; check the id." }
        }
        if result.isPinned { p { "The device has a pin, so experiments do not count it." } }
    }

    // MARK: Parameters

    private func row(_ parameter: TemplateEvaluationBodies.Parameter) -> [Markup] {
        [
            a(scope.parameterLink(parameter.key)) { parameter.key },
            ConfigValueView.cell(parameter.value.map { .text($0) } ?? .inAppDefault, length: 200), source(parameter),
        ]
    }

    private func source(_ parameter: TemplateEvaluationBodies.Parameter) -> Markup {
        var parts: [String] = []
        if let experiment = parameter.experiment {
            let variant = parameter.variant.map { "variant ‘\(UserText.shown($0))’ of " } ?? ""
            parts.append("\(variant)the experiment ‘\(UserText.shown(experiment))’")
        }
        if let condition = parameter.condition { parts.append("the condition ‘\(condition)’") }
        if let rollout = parameter.rollout { parts.append("the rollout ‘\(UserText.shown(rollout))’") }
        let skipped = (parameter.skipped ?? []).map { skipped in
            let subject = skipped.id.map { " ‘\(UserText.shown($0))’" } ?? ""
            return
                "The condition ‘\(skipped.condition)’ holds, but the device is not in its \(skipped.because)\(subject)."
        }
        let open = (parameter.undecided ?? []).map { "‘\($0)’" }.joined(separator: ", ")
        return .joined {
            parts.isEmpty ? "the default value" : parts.joined(separator: ", ")
            (skipped + (open.isEmpty ? [] : ["Not decided: \(open)."])).map { text in
                Markup.joined {
                    " "; small { text }
                }
            }
        }
    }

    // MARK: Conditions

    private var conditions: Markup {
        .joined {
            h2 { "Conditions" }
            DataTable("Conditions in order of priority", ["Condition", "Holds", "Why", "Expression"])
                .rows(Array(result.conditions.prefix(Self.limit))) { condition in
                    [
                        a(scope.conditionLink(condition.name)) { condition.name }, badge(condition.result),
                        reason(condition), expression(condition),
                    ]
                }
            if result.conditions.contains(where: { $0.result == "undecided" }) {
                p { "To a device, a condition that is not decided does not hold." }
            }
        }
    }

    private func badge(_ result: String) -> Markup {
        switch result {
        case "true": Badge.mark("yes", .good)
        case "false": Badge.mark("no", .neutral)
        default: Badge.mark("not decided", .warning)
        }
    }

    private func reason(_ condition: TemplateEvaluationBodies.Condition) -> Markup {
        let signals = (condition.signals ?? []).map { UserText.shown($0) }.joined(separator: ", ")
        let text =
            switch condition.because {
            case nil: ""
            case "term": "The term at column \(condition.column ?? 1) is false."
            case "notANumber": "The value \(value(of: condition)) is not a number."
            case "notAVersion": "The value \(value(of: condition)) is not a version."
            case "missing": "The device does not say \(signals)."
            case "unsupported": "No device says \(signals)."
            case "steps": "The template takes too many steps."
            case "tooLarge": "It is above the limits of conditions."
            case let other?: UserText.shown(other)
            }
        return .text(text)
    }

    private func value(of condition: TemplateEvaluationBodies.Condition) -> String {
        let signal = condition.signals?.first ?? ""
        let value = UserText.shown(result.device.text(ofSignal: signal) ?? "")
        return "‘\(value)’ of \(UserText.shown(signal))"
    }

    private func expression(_ condition: TemplateEvaluationBodies.Condition) -> Markup {
        guard let text = condition.expression else { return .empty }
        guard let column = condition.column else {
            return ConfigValueView.short(text, 300)
        }
        return pre(.class("mark")) { ConditionMark.text(text, column: column) }
    }

    // MARK: Experiments

    private var experiments: Markup {
        .joined {
            h2 { "Experiments" }
            DataTable("Running experiments", ["Experiment", "Variant"])
                .rows(result.experiments) { experiment in
                    [
                        a(scope.request.link("experiments", experiment.experiment)) {
                            UserText.shown(experiment.experiment)
                        },
                        .text(
                            experiment.variant.map { UserText.shown($0) }
                                ?? "none: \(InclusionText.absence(experiment.because ?? "", otherExperiment: experiment.otherExperiment))"
                        ),
                    ]
                }
        }
    }
}
