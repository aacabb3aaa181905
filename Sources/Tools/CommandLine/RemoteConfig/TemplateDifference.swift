import HearthLocalCommands
import HearthWire

/// The changes from one template to another: a line for each condition and each value. Pure.
struct TemplateDifference {
    /// `+ parameter colour: "red"`, `- …`, `~ parameter colour: "red" -> "blue"`.
    let lines: [String]

    /// A statement of a template: the full value, and its displayed text.
    private struct Fact {
        let whole: RemoteConfigParameterValue?
        let text: String

        init(_ value: RemoteConfigParameterValue?) {
            whole = value
            text = ConfigValueText.text(value)
        }

        init(_ whole: String, ifMatch: String) {
            self.whole = .text(whole)
            text = ifMatch
        }
    }

    var isEmpty: Bool { lines.isEmpty }

    init(from old: RemoteConfigTemplate, to new: RemoteConfigTemplate) {
        let (before, after) = (Self.facts(old), Self.facts(new))
        let places = Set(before.keys).union(after.keys).sorted()
        var lines = places.compactMap { Self.line($0, before[$0], after[$0]) }
        lines += Self.order(old.conditions ?? [], new.conditions ?? [])
        self.lines = lines
    }

    private static func line(_ place: String, _ before: Fact?, _ after: Fact?) -> String? {
        switch (before, after) {
        case (let before?, let after?):
            // Long texts are cut, and some characters are not shown.
            before.whole == after.whole
                ? nil
                : "~ \(place): \(before.text) -> "
                    + (before.text == after.text ? "another value with the same displayed text" : after.text)
        case (nil, let after?): "+ \(place): \(after.text)"
        case (let before?, nil): "- \(place): \(before.text)"
        case (nil, nil): nil
        }
    }

    /// The statements of a template, by their place.
    private static func facts(_ template: RemoteConfigTemplate) -> [String: Fact] {
        var facts: [String: Fact] = [:]
        for condition in template.conditions ?? [] {
            let place = "condition '\(condition.name.printable)'"
            facts[place] = Fact(condition.expression, ifMatch: condition.expression.printable)
            if let color = condition.tagColor { facts["\(place), colour"] = Fact(color, ifMatch: color.printable) }
        }
        for (name, group) in template.parameterGroups ?? [:] {
            facts["group '\(name.printable)'"] = Fact(.text(group.description ?? ""))
        }
        for (key, group, parameter) in template.allParameters {
            let place = "parameter \(key.printable)"
            facts[place] = Fact(parameter.defaultValue)
            for (name, value) in parameter.conditionalValues ?? [:] {
                facts["\(place) if '\(name.printable)'"] = Fact(value)
            }
            if let type = parameter.valueType, type != "STRING" {
                facts["\(place), type"] = Fact(type, ifMatch: type.lowercased().printable)
            }
            if let text = parameter.description { facts["\(place), description"] = Fact(.text(text)) }
            if let group { facts["\(place), group"] = Fact(group, ifMatch: "'\(group.printable)'") }
        }
        return facts
    }

    /// The order of conditions decides which one comes first. Adding one at the end or removing one does not reorder the others.
    private static func order(_ old: [RemoteConfigCondition], _ new: [RemoteConfigCondition]) -> [String] {
        let names = new.map(\.name)
        let kept = old.map(\.name).filter(names.contains)
        guard !names.starts(with: kept) else { return [] }
        return ["~ conditions in this order: " + names.map { "'\($0.printable)'" }.joined(separator: ", ")]
    }
}

/// A parameter's value on one line.
enum ConfigValueText {
    private static let longest = 60

    static func text(_ value: RemoteConfigParameterValue?) -> String {
        switch value {
        case nil: "no value"
        case .text(let text): quoted(text)
        case .inAppDefault: "the app's own default"
        case .rollout(let rollout):
            "\(quoted(rollout.value)) for \(share(rollout)) (rollout \(rollout.rolloutId.printable))"
        case .experiment(let experiment):
            "what experiment \(experiment.experimentId.printable) gives (\(variants(experiment)))"
        case .personalization(let id): "what personalization \(id.printable) gives"
        }
    }

    private static func share(_ rollout: RemoteConfigRollout) -> String {
        guard let range = rollout.microPercentRange else { return "\(rollout.percent ?? 0)%" }
        let ends = [range.microPercentStart ?? 0, range.microPercentEnd ?? 0].map { "\(Double($0) / 1_000_000)%" }
        return "those from \(ends[0]) to \(ends[1])"
    }

    private static func variants(_ experiment: RemoteConfigExperimentValue) -> String {
        let texts = experiment.variantValue.map { variant in
            "\(variant.variantId.printable): \(variant.value.map(quoted) ?? "no change")"
        }
        return texts.joined(separator: ", ")
    }

    private static func quoted(_ text: String) -> String {
        text.count <= longest ? "\"\(text.printable)\"" : "\"\(String(text.prefix(longest)).printable)…\""
    }
}
