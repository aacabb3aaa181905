import HearthRemoteConfigTemplates
import HearthWire

/// Applies the changes of a draft to a version that someone else published meanwhile. Pure.
///
/// Each value is taken for itself: where the draft changed something, it has the draft's text, and otherwise that of the
/// published version. The result may be invalid, for example if a condition is gone that the draft gives a value for; the
/// API's check says so.
struct TemplateMerge {
    private let base: RemoteConfigTemplate
    private let mine: RemoteConfigTemplate
    private let theirs: RemoteConfigTemplate

    static func apply(
        _ mine: RemoteConfigTemplate, since base: RemoteConfigTemplate, to theirs: RemoteConfigTemplate
    ) -> RemoteConfigTemplate {
        TemplateMerge(base: base, mine: mine, theirs: theirs).merged
    }

    /// The places that both changed, to something different.
    static func overlaps(
        _ mine: RemoteConfigTemplate, since base: RemoteConfigTemplate, to theirs: RemoteConfigTemplate
    ) -> [TemplateDifference.Place] {
        let own = TemplateDifference(from: base, to: mine).changes
        let others = TemplateDifference(from: base, to: theirs).changes
        let changed = Dictionary(others.map { ($0.place, $0.after) }) { first, _ in first }
        return own.filter { change in changed[change.place].map { $0 != change.after } ?? false }.map(\.place)
    }

    private var merged: RemoteConfigTemplate {
        var result = RemoteConfigTemplate()
        let (old, own, other) = (Self.parameters(base), Self.parameters(mine), Self.parameters(theirs))
        for key in Set(own.keys).union(other.keys) {
            guard let (group, parameter) = Self.entry(old[key], own[key], other[key]) else { continue }
            result.setParameter(key, parameter, group: group)
        }
        let groups = [base, mine, theirs].map { $0.parameterGroups ?? [:] }
        for name in Set(groups[1].keys).union(groups[2].keys) {
            let texts = groups.map { $0[name].map { $0.description } }
            guard let text = Self.pick(texts[0], texts[1], texts[2]) else { continue }
            var all = result.parameterGroups ?? [:]
            var group = all[name] ?? RemoteConfigParameterGroup(parameters: [:])
            group.description = text
            all[name] = group
            result.parameterGroups = all
        }
        result.conditions = conditions
        return result
    }

    private typealias Entry = (group: String?, parameter: RemoteConfigParameter)

    private static func parameters(_ template: RemoteConfigTemplate) -> [String: Entry] {
        Dictionary(template.allParameters.map { ($0.key, ($0.group, $0.parameter)) }) { first, _ in first }
    }

    private static func pick<Part: Equatable>(_ base: Part, _ mine: Part, _ theirs: Part) -> Part {
        mine == base ? theirs : mine
    }

    private static func entry(_ base: Entry?, _ mine: Entry?, _ theirs: Entry?) -> Entry? {
        guard let base, let mine, let theirs else {
            let isUnchanged = mine?.group == base?.group && mine?.parameter == base?.parameter
            return isUnchanged ? theirs : mine
        }
        var result = theirs
        result.group = pick(base.group, mine.group, theirs.group)
        let (old, own, other) = (base.parameter, mine.parameter, theirs.parameter)
        result.parameter.defaultValue = pick(old.defaultValue, own.defaultValue, other.defaultValue)
        result.parameter.description = pick(old.description, own.description, other.description)
        result.parameter.valueType = pick(old.valueType, own.valueType, other.valueType)
        let values = [old, own, other].map { $0.conditionalValues ?? [:] }
        var picked: [String: RemoteConfigParameterValue] = [:]
        for name in Set(values[1].keys).union(values[2].keys) {
            picked[name] = pick(values[0][name], values[1][name], values[2][name])
        }
        result.parameter.conditionalValues = picked.isEmpty ? nil : picked
        return result
    }

    private var conditions: [RemoteConfigCondition]? {
        func byName(_ template: RemoteConfigTemplate) -> [String: RemoteConfigCondition] {
            Dictionary((template.conditions ?? []).map { ($0.name, $0) }) { first, _ in first }
        }
        func names(_ template: RemoteConfigTemplate) -> [String] { (template.conditions ?? []).map(\.name) }
        let (old, own, other) = (byName(base), byName(mine), byName(theirs))
        // The order is one decision: that of the draft if the draft moved something.
        let kept = names(base).filter { own[$0] != nil }
        let isMoved = !names(mine).starts(with: kept)
        let (first, second) = isMoved ? (names(mine), names(theirs)) : (names(theirs), names(mine))
        let order = first + second.filter { !first.contains($0) }
        let merged = order.compactMap { name -> RemoteConfigCondition? in
            guard let base = old[name], let mine = own[name], let theirs = other[name] else {
                return Self.pick(old[name], own[name], other[name])
            }
            return RemoteConfigCondition(
                name: name, expression: Self.pick(base.expression, mine.expression, theirs.expression),
                tagColor: Self.pick(base.tagColor, mine.tagColor, theirs.tagColor))
        }
        return merged.isEmpty ? nil : merged
    }
}
