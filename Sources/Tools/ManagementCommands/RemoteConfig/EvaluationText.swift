import HearthArguments
import HearthCalls
import HearthCatalog
import HearthLocalCommands
import HearthRemoteConfigTemplates
import HearthWire

/// What a device would get, and why, as text. Pure.
struct EvaluationText {
    private let result: TemplateEvaluationBodies.Result

    init(_ result: TemplateEvaluationBodies.Result) { self.result = result }

    /// - Parameter width: of the terminal; nil shows all.
    func text(width: Int?) -> String {
        var parts = [sentence]
        if !result.parameters.isEmpty { parts.append(parameters.text(width: width)) }
        if !result.conditions.isEmpty { parts.append(conditions.text(width: width)) }
        if !result.experiments.isEmpty { parts.append(experiments.text(width: width)) }
        if !notes.isEmpty { parts.append(notes.joined(separator: "\n")) }
        return parts.joined(separator: "\n\n")
    }

    private var sentence: String {
        let template =
            switch result.version {
            case nil: "the template in the file"
            case 0: "an empty template, because there is none yet"
            case let version?: "version \(version)"
            }
        return "A device that asks at \(TimeArgument.short(result.time)) UTC, with \(facts), gets of \(template):"
    }

    private var facts: String {
        let device = result.device
        let words: [(String, String?)] = [
            ("app", device.appId), ("app version", device.appVersion), ("build", device.appBuild), ("os", device.os),
            ("language", device.language), ("country", device.country),
            ("first opened", device.firstOpenTime.map { TimeArgument.short($0) }),
        ]
        let pairs = [("signal", device.customSignals), ("user property", device.userProperties)]
        var all = [result.installation.map { "the id of \($0.printable)" }].compactMap { $0 }
        all += words.compactMap { name, value in value.map { "\(name) \($0.printable)" } }
        all += (device.tags ?? []).map { "tag \($0.printable)" }
        all += pairs.flatMap { name, values in
            (values ?? [:]).sorted { $0.key < $1.key }.map { "\(name) \($0.key.printable)=\($0.value.printable)" }
        }
        return all.isEmpty ? "no facts" : all.joined(separator: ", ")
    }

    private var parameters: TextTable {
        var table = TextTable(["PARAMETER", .text("VALUE", isTruncatable: true), .text("FROM", isTruncatable: true)])
        for parameter in result.parameters {
            let value = ConfigValueText.text(parameter.value.map { .text($0) } ?? .inAppDefault)
            table.append([parameter.key.printable, value, Self.source(parameter)])
        }
        return table
    }

    /// `condition 'beta', rollout r1; not decided: 'swiss'`.
    private static func source(_ parameter: TemplateEvaluationBodies.Parameter) -> String {
        var parts: [String] = []
        if let experiment = parameter.experiment {
            let variant = parameter.variant.map { "variant '\($0.printable)' of " } ?? ""
            parts.append("\(variant)experiment '\(experiment.printable)'")
        }
        if let condition = parameter.condition { parts.append("condition '\(condition.printable)'") }
        if let rollout = parameter.rollout { parts.append("rollout \(rollout.printable)") }
        let source = parts.isEmpty ? "default" : parts.joined(separator: ", ")
        let skipped = (parameter.skipped ?? []).map {
            "; not in \($0.because) \($0.id.map { $0.printable } ?? "") of '\($0.condition.printable)'"
        }
        let open = (parameter.undecided ?? []).map { "'\($0.printable)'" }.joined(separator: ", ")
        return source + skipped.joined() + (open.isEmpty ? "" : "; not decided: \(open)")
    }

    private var conditions: TextTable {
        var table = TextTable([
            "CONDITION", "HOLDS", .text("BECAUSE", isTruncatable: true),
            .text("EXPRESSION", dropOrder: 1, isTruncatable: true),
        ])
        for condition in result.conditions {
            let holds = ["true": "yes", "false": "no"][condition.result] ?? condition.result.printable
            table.append([
                condition.name.printable, holds, reason(condition), condition.expression?.printable ?? "",
            ])
        }
        return table
    }

    private func reason(_ condition: TemplateEvaluationBodies.Condition) -> String {
        let signals = (condition.signals ?? []).map(\.printable).joined(separator: ", ")
        return switch condition.because {
        case nil: ""
        case "term": "the term at column \(condition.column ?? 1) is false"
        case "notANumber": "the value \(value(of: condition)) is not a number"
        case "notAVersion": "the value \(value(of: condition)) is not a version"
        case "missing": "the device does not say \(signals)"
        case "unsupported": "no device says \(signals)"
        case "steps": "the template takes too many steps"
        case "tooLarge": "it is above the limits of conditions"
        case let other?: other.printable
        }
    }

    /// `'v1.2.0' of app.customSignal['firmware']`.
    private func value(of condition: TemplateEvaluationBodies.Condition) -> String {
        let signal = condition.signals?.first ?? ""
        return "'\((result.device.text(ofSignal: signal) ?? "").printable)' of \(signal.printable)"
    }

    private var experiments: TextTable {
        var table = TextTable(["EXPERIMENT", .text("VARIANT", isTruncatable: true)])
        for experiment in result.experiments {
            let why = InclusionText.absence(
                experiment.because ?? "", otherExperiment: experiment.otherExperiment)
            table.append([experiment.experiment.printable, experiment.variant?.printable ?? "none: \(why)"])
        }
        return table
    }

    private var notes: [String] {
        var notes: [String] = []
        if result.conditions.contains(where: { $0.result == "undecided" }) {
            notes.append("To a device, a condition that is not decided does not hold.")
        }
        if result.isPinned { notes.append("The device has a pin, so experiments do not count it.") }
        if result.installation != nil, !result.isRegistered {
            notes.append("No installation with this id is registered; check the id.")
        }
        return notes
    }
}
