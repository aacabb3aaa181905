public import HearthTargeting
public import HearthWire

/// A template that devices are answered from: conditions read, values in order. Immutable; any thread.
public final class CompiledTemplate: Sendable {
    /// What one device gets.
    public struct Resolution: Sendable, Hashable {
        /// By key. Keys whose value is the app's own default are left out.
        public var entries: [String: String] = [:]
        /// Rollouts that changed something for the device: their keys.
        public var rollouts: [String: [String]] = [:]
    }

    private struct Parameter {
        let key: String
        /// In order of the conditions' priority.
        let conditional: [(condition: Int, value: ConfigValue)]
        let usual: ConfigValue
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
                places[name].map { (condition: $0, value: value) }
            }
            return Parameter(
                key: key, conditional: conditional.sorted { $0.condition < $1.condition },
                usual: parameter.defaultValue ?? .inAppDefault)
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
        func holds(_ index: Int) -> Bool {
            if let answer = known[index] { return answer }
            let answer = conditions[index].holds(for: device, nowMicroseconds: nowMicroseconds)
            known[index] = answer
            return answer
        }
        var resolution = Resolution()
        for parameter in parameters {
            let isDecided = parameter.conditional.contains { candidate in
                holds(candidate.condition)
                    && Self.take(candidate.value, parameter.key, device, variants, &resolution)
            }
            if !isDecided { _ = Self.take(parameter.usual, parameter.key, device, variants, &resolution) }
        }
        return resolution
    }

    /// Whether the value decides; one that is for others only leaves the decision to the next.
    private static func take(
        _ value: ConfigValue, _ key: String, _ device: DeviceFacts, _ variants: [String: String],
        _ resolution: inout Resolution
    ) -> Bool {
        switch value {
        case .text(let text): resolution.entries[key] = text
        case .inAppDefault: break
        case .rollout(let rollout):
            guard
                InstallationShare.contains(
                    device.installationID, percent: rollout.percent ?? 0, seed: rollout.rolloutId)
            else { return false }
            resolution.entries[key] = rollout.value
            resolution.rollouts[rollout.rolloutId, default: []].append(key)
        case .experiment(let experiment):
            guard let own = variants[experiment.experimentId],
                let variant = experiment.variantValue.first(where: { $0.variantId == own })
            else { return false }
            // "No change" leaves the decision to the next, as for a device that takes no part.
            guard variant.noChange != true, let value = variant.value else { return false }
            resolution.entries[key] = value
        case .personalization: return false
        }
        return true
    }
}
