package import HearthWire

/// The changes from one template to another, for readers. Pure.
///
/// The version of a template is no part of it: neither its number nor its description is a change.
package struct TemplateDifference: Sendable, Hashable {
    /// By their places; the order of the conditions is the last one.
    package let changes: [Change]

    package var isEmpty: Bool { changes.isEmpty }

    package init(from old: RemoteConfigTemplate, to new: RemoteConfigTemplate) {
        let (before, after) = (Self.statements(old), Self.statements(new))
        // Few of a large template's places change, and their titles take a while to make.
        let places = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
            .map { ($0, $0.title) }.sorted { $0.1 < $1.1 }.map(\.0)
        changes =
            places.compactMap { place in
                Self.change(
                    place, before[place], after[place],
                    isMove: place.isOfKeptParameter { before[.parameter($0)] != nil && after[.parameter($0)] != nil })
            } + Self.order(old.conditions ?? [], new.conditions ?? [])
    }

    private static func change(
        _ place: Place, _ before: Statement?, _ after: Statement?, isMove: Bool
    ) -> Change? {
        guard before != after else { return nil }
        let kind: Change.Kind = before == nil ? .added : after == nil ? .removed : .changed
        return Change(kind: isMove ? .moved : kind, place: place, before: before, after: after)
    }

    /// What a template states, by its place.
    private static func statements(_ template: RemoteConfigTemplate) -> [Place: Statement] {
        var statements: [Place: Statement] = [:]
        for condition in template.conditions ?? [] {
            statements[.condition(condition.name)] = .word(condition.expression)
            if let color = condition.tagColor { statements[.conditionColor(condition.name)] = .word(color) }
        }
        for (name, group) in template.parameterGroups ?? [:] {
            statements[.group(name)] = .value(.text(group.description ?? ""))
        }
        for (key, group, parameter) in template.allParameters {
            statements[.parameter(key)] = parameter.defaultValue.map(Statement.value) ?? .noValue
            for (name, value) in parameter.conditionalValues ?? [:] {
                statements[.conditionalValue(parameter: key, condition: name)] = .value(value)
            }
            // A parameter without a type is of this one.
            if let type = parameter.valueType, type != "STRING" { statements[.parameterType(key)] = .word(type) }
            if let text = parameter.description { statements[.parameterDescription(key)] = .value(.text(text)) }
            if let group { statements[.parameterGroup(key)] = .word(group) }
        }
        return statements
    }

    /// The order of conditions decides which one comes first. Adding one at the end or removing one does not reorder the others.
    private static func order(
        _ old: [RemoteConfigCondition], _ new: [RemoteConfigCondition]
    ) -> [Change] {
        let names = new.map(\.name)
        let kept = old.map(\.name).filter(names.contains)
        guard !names.starts(with: kept) else { return [] }
        return [
            Change(
                kind: .moved, place: .conditionOrder, before: .names(old.map(\.name)), after: .names(names))
        ]
    }
}

extension TemplateDifference {
    /// One change of a template.
    package struct Change: Sendable, Hashable {
        package enum Kind: String, Sendable, Hashable {
            case added
            case removed
            case changed
            /// The conditions are in another order, or a parameter that was there before is in another group.
            case moved
        }

        package let kind: Kind
        package let place: Place
        /// Nil if the old template states nothing at this place.
        package let before: Statement?
        /// Nil if the new template states nothing at this place.
        package let after: Statement?

        /// Where the texts of both sides differ. Nil if one side has no text there, or if something else differs, such as the
        /// kind of a value.
        package var textDifference: TextDifference? {
            guard let before, let after else { return nil }
            return zip(before.texts, after.texts).lazy.filter { $0 != $1 }.first.map {
                TextDifference(from: $0, to: $1)
            }
        }
    }
}

extension TemplateDifference {
    /// A place in a template at which it states something.
    package enum Place: Sendable, Hashable {
        /// The expression of the condition of that name.
        case condition(String)
        case conditionColor(String)
        /// The names of all conditions, in order of priority.
        case conditionOrder
        /// The group of that name, with its description.
        case group(String)
        /// The default value of the parameter with that key.
        case parameter(String)
        case conditionalValue(parameter: String, condition: String)
        case parameterType(String)
        case parameterDescription(String)
        /// The group that the parameter is in.
        case parameterGroup(String)

        /// On one line: `parameter colour if 'beta'`, `condition 'beta', colour`.
        package var title: String {
            switch self {
            case .condition(let name): "condition '\(name.printable)'"
            case .conditionColor(let name): "condition '\(name.printable)', colour"
            case .conditionOrder: "conditions in this order"
            case .group(let name): "group '\(name.printable)'"
            case .parameter(let key): "parameter \(key.printable)"
            case .conditionalValue(let key, let name): "parameter \(key.printable) if '\(name.printable)'"
            case .parameterType(let key): "parameter \(key.printable), type"
            case .parameterDescription(let key): "parameter \(key.printable), description"
            case .parameterGroup(let key): "parameter \(key.printable), group"
            }
        }

        fileprivate func isOfKeptParameter(_ isKept: (String) -> Bool) -> Bool {
            if case .parameterGroup(let key) = self { isKept(key) } else { false }
        }
    }
}

extension TemplateDifference {
    /// What a template states at a place.
    package enum Statement: Sendable, Hashable {
        /// An expression, a type, a colour or the name of a group.
        case word(String)
        case value(RemoteConfigParameterValue)
        /// A parameter without a default value.
        case noValue
        case names([String])

        /// The texts in it. Two statements of one kind have them in the same order.
        fileprivate var texts: [String] {
            switch self {
            case .word(let text), .value(.text(let text)): [text]
            case .value(.rollout(let rollout)): [rollout.value]
            case .value(.experiment(let experiment)): experiment.variantValue.map { $0.value ?? "" }
            case .value(.personalization(let id)): [id]
            case .value(.inAppDefault), .noValue, .names: []
            }
        }
    }
}

/// Where two texts differ: the part between what both begin with and what both end with.
package struct TextDifference: Sendable, Hashable {
    /// The characters that both begin with.
    package let commonPrefix: Int
    /// The characters that both end with, after the prefix.
    package let commonSuffix: Int
    /// The different part of the first text; empty if something was inserted.
    package let before: String
    /// The different part of the second text; empty if something was removed.
    package let after: String

    package init(from old: String, to new: String) {
        // Character by character, so that no part begins within one.
        let start = zip(old, new).prefix { $0 == $1 }.count
        let (oldRest, newRest) = (old.dropFirst(start), new.dropFirst(start))
        let end = zip(oldRest.reversed(), newRest.reversed()).prefix { $0 == $1 }.count
        commonPrefix = start
        commonSuffix = end
        before = String(oldRest.dropLast(end))
        after = String(newRest.dropLast(end))
    }
}
