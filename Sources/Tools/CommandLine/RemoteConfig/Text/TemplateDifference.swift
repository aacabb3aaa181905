import HearthLocalCommands
import HearthWire

/// What changes when a template takes the place of another: a line for each condition and each value. Pure.
struct TemplateDifference {
    /// `+ parameter colour: "red"`, `- …`, `~ parameter colour: "red" -> "blue"`.
    let lines: [String]

    var isEmpty: Bool { lines.isEmpty }

    init(from old: ConfigTemplate, to new: ConfigTemplate) {
        let (before, after) = (Self.facts(old), Self.facts(new))
        let places = Set(before.keys).union(after.keys).sorted()
        var lines = places.compactMap { Self.line($0, before[$0], after[$0]) }
        lines += Self.order(old.conditions ?? [], new.conditions ?? [])
        self.lines = lines
    }

    private static func line(_ place: String, _ before: String?, _ after: String?) -> String? {
        switch (before, after) {
        case (let before?, let after?): before == after ? nil : "~ \(place): \(before) -> \(after)"
        case (nil, let after?): "+ \(place): \(after)"
        case (let before?, nil): "- \(place): \(before)"
        case (nil, nil): nil
        }
    }

    /// What a template says, by the place where it does.
    private static func facts(_ template: ConfigTemplate) -> [String: String] {
        var facts: [String: String] = [:]
        for condition in template.conditions ?? [] {
            let place = "condition '\(condition.name.printable)'"
            facts[place] = condition.expression.printable
            if let color = condition.tagColor { facts["\(place), colour"] = color.printable }
        }
        for (name, group) in template.parameterGroups ?? [:] {
            facts["group '\(name.printable)'"] = ConfigValueText.text(.text(group.description ?? ""))
        }
        for (key, group, parameter) in template.allParameters {
            let place = "parameter \(key.printable)"
            facts[place] = ConfigValueText.text(parameter.defaultValue)
            for (name, value) in parameter.conditionalValues ?? [:] {
                facts["\(place) if '\(name.printable)'"] = ConfigValueText.text(value)
            }
            if let type = parameter.valueType, type != "STRING" {
                facts["\(place), type"] = type.lowercased().printable
            }
            if let text = parameter.description { facts["\(place), description"] = ConfigValueText.text(.text(text)) }
            if let group { facts["\(place), group"] = "'\(group.printable)'" }
        }
        return facts
    }

    /// Where conditions stand decides which one comes first. One that was added at the end, or taken away, moves no other.
    private static func order(_ old: [ConfigCondition], _ new: [ConfigCondition]) -> [String] {
        let names = new.map(\.name)
        let kept = old.map(\.name).filter(names.contains)
        guard !names.starts(with: kept) else { return [] }
        return ["~ conditions in this order: " + names.map { "'\($0.printable)'" }.joined(separator: ", ")]
    }
}
