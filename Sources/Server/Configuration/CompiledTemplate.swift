public import HearthTargeting
public import HearthWire

/// A template that devices are answered from: conditions read, values in order. Immutable; any thread.
public final class CompiledTemplate: Sendable {
    private struct Parameter {
        /// In order of the conditions' priority.
        let conditional: [(condition: Int, value: CompiledValue)]
        let usual: CompiledValue
    }

    /// In order; nil for one that asks for more than conditions may, and holds for nobody.
    private let conditions: [Condition?]
    private let parameters: [Parameter]
    /// The names of the conditions that hold for nobody because they ask for more than conditions may. A template that was checked
    /// by this version of the server has none.
    public let refusedConditions: [String]
    /// What one answer takes at most.
    public let cost: ConditionCost

    /// - Parameter known: conditions that were read before, by their text: they are not read again.
    /// - Throws: what `TemplateForm.check` finds, but no condition that asks for too much: a template of an older server's goes on
    ///   without it.
    public init(_ template: ConfigTemplate, known: [String: Condition] = [:]) throws(TemplateError) {
        var reader = ConditionReader(known: known)
        var conditions: [Condition?] = []
        var refused: [String] = []
        var places: [String: Int] = [:]
        for (index, condition) in (template.conditions ?? []).enumerated() {
            do throws(ConditionSyntaxError) {
                conditions.append(try reader.read(condition.expression))
            } catch {
                guard error.isTooLarge else {
                    throw TemplateError(
                        code: .invalidCondition, path: "conditions[\(index)].expression", message: "\(error)")
                }
                conditions.append(nil)
                refused.append(condition.name)
            }
            places[condition.name] = index
        }
        refusedConditions = refused
        self.conditions = conditions
        let groups = (template.parameterGroups ?? [:]).values.compactMap(\.parameters)
        let all = ([template.parameters ?? [:]] + groups).flatMap { $0 }
        parameters = all.sorted { $0.key < $1.key }.map { key, parameter in
            let conditional = (parameter.conditionalValues ?? [:]).compactMap { name, value in
                places[name].map { (condition: $0, value: CompiledValue(value, key: key)) }
            }
            return Parameter(
                conditional: conditional.sorted { $0.condition < $1.condition },
                usual: CompiledValue(parameter.defaultValue ?? .inAppDefault, key: key))
        }
        cost = parameters.reduce(conditions.reduce(ConditionCost()) { $0 + ($1?.cost ?? ConditionCost()) }) {
            $1.conditional.reduce($0 + $1.usual.cost) { $0 + $1.value.cost }
        }
    }

    /// The conditions that were read, by their text.
    public var conditionsByText: [String: Condition] {
        Dictionary(conditions.compactMap { $0.map { ($0.text, $0) } }, uniquingKeysWith: { first, _ in first })
    }

    /// What the device gets: of the conditions that hold, in order of priority, the first one that a parameter has a value
    /// for; else its default.
    ///
    /// - Parameter variants: the device's variant of each experiment that it takes part in, by the experiment's id.
    public func resolve(
        for device: DeviceFacts, nowMicroseconds: Int64, variants: [String: String] = [:]
    ) -> Resolution {
        var subject = ConditionSubject(device, nowMicroseconds: nowMicroseconds)
        return resolve(for: &subject, variants: variants)
    }

    /// The same for a device of which something was asked before. Where it has no steps left, what is still to be asked is not
    /// the case, and parameters have the values that are left.
    public func resolve(for subject: inout ConditionSubject, variants: [String: String] = [:]) -> Resolution {
        // Each condition is looked at once at most, and only if a parameter asks.
        var known = [Bool?](repeating: nil, count: conditions.count)
        func holds(_ index: Int) -> Bool {
            if let answer = known[index] { return answer }
            let answer = conditions[index]?.holds(for: &subject) ?? false
            known[index] = answer
            return answer
        }
        var resolution = Resolution(capacity: parameters.count)
        for parameter in parameters {
            let isDecided = parameter.conditional.contains { candidate in
                holds(candidate.condition) && candidate.value.decide(for: &subject, variants, &resolution)
            }
            if !isDecided { _ = parameter.usual.decide(for: &subject, variants, &resolution) }
        }
        return resolution
    }
}
