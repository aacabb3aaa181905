public import HearthTargeting
public import HearthWire

/// A template that devices are answered from: conditions read, values in order. Immutable; any thread.
public final class CompiledTemplate: Sendable {
    private struct Parameter {
        /// In order of the conditions' priority.
        let conditional: [(condition: Int, value: CompiledValue)]
        let usual: CompiledValue
    }

    private let conditions: [Condition]
    private let parameters: [Parameter]

    /// - Throws: what `TemplateForm.check` finds.
    public init(_ template: ConfigTemplate) throws(TemplateError) {
        var conditions: [Condition] = []
        var places: [String: Int] = [:]
        for (index, condition) in (template.conditions ?? []).enumerated() {
            do throws(ConditionSyntaxError) {
                conditions.append(try Condition(condition.expression))
            } catch {
                throw TemplateError(
                    code: .invalidCondition, path: "conditions[\(index)].expression", message: "\(error)")
            }
            places[condition.name] = index
        }
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
    }

    public var isEmpty: Bool { parameters.isEmpty }

    /// What the device gets: of the conditions that hold, in order of priority, the first one that a parameter has a value
    /// for; else its default.
    ///
    /// - Parameter variants: the device's variant of each experiment that it takes part in, by the experiment's id.
    public func resolve(
        for device: DeviceFacts, nowMicroseconds: Int64, variants: [String: String] = [:]
    ) -> Resolution {
        // Each condition is looked at once at most, and only if a parameter asks.
        var known = [Bool?](repeating: nil, count: conditions.count)
        var subject = ConditionSubject(device, nowMicroseconds: nowMicroseconds)
        func holds(_ index: Int) -> Bool {
            if let answer = known[index] { return answer }
            let answer = conditions[index].holds(for: &subject)
            known[index] = answer
            return answer
        }
        var resolution = Resolution(capacity: parameters.count)
        for parameter in parameters {
            let isDecided = parameter.conditional.contains { candidate in
                holds(candidate.condition) && candidate.value.decide(for: device, variants, &resolution)
            }
            if !isDecided { _ = parameter.usual.decide(for: device, variants, &resolution) }
        }
        return resolution
    }
}
