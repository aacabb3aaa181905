import HearthCatalog
import HearthExperiments
import HearthRouting
import HearthStorage
import HearthWire

/// Gives the winner to all devices that the experiment was for: as values of the parameters, and as releases of the
/// models.
struct ExperimentRollout {
    let context: RouteContext
    let experiment: Experiment
    let allowContractChange: Bool
    let allowCrashing: Bool
    let allowFailedRehearsal: Bool
    let log: AuditLog

    /// - Returns: warnings.
    func apply() throws -> [String] {
        guard let winner = experiment.variants.first(where: { $0.name == experiment.winner }) else { return [] }
        if !experiment.parameterKeys.isEmpty {
            try TemplateEditing(context: context).append("Experiment '\(experiment.name)' rolled out", log) {
                template in
                set(winner.parameters, in: &template)
            }
        }
        var warnings: [String] = []
        for (name, version) in winner.models.sorted(by: { $0.key < $1.key }) {
            warnings += try release(name, version)
        }
        return warnings
    }

    private func set(_ values: [String: String], in template: inout RemoteConfigTemplate) {
        var conditionName: String?
        if !experiment.audience.isEmpty {
            let name = Self.freeName("experiment \(experiment.name)", in: template)
            conditionName = name
            // In first place: it must win over all existing conditions.
            template.conditions =
                [RemoteConfigCondition(name: name, expression: experiment.audience)]
                + (template.conditions ?? [])
        }
        for (key, value) in values {
            var parameter = template.parameter(forKey: key) ?? RemoteConfigParameter()
            if let conditionName {
                parameter.conditionalValues = parameter.conditionalValues ?? [:]
                parameter.conditionalValues?[conditionName] = .text(value)
            } else {
                // For all devices: existing conditions no longer apply.
                parameter.defaultValue = .text(value)
                parameter.conditionalValues = nil
            }
            template.put(parameter, forKey: key)
        }
    }

    /// A name that no condition has. Other parameters may use a condition of the same name, and its meaning must not
    /// change.
    private static func freeName(_ name: String, in template: RemoteConfigTemplate) -> String {
        let taken = Set((template.conditions ?? []).map(\.name))
        var free = name
        var number = 2
        while taken.contains(free) {
            free = "\(name) \(number)"
            number += 1
        }
        return free
    }

    private func release(_ name: String, _ version: Int) throws -> [String] {
        guard let model = try log.store.model(displayName: name, project: experiment.projectID),
            let known = try log.store.known(version, of: model)
        else { throw CatalogError(.failedPrecondition, "Version \(version) of '\(name)' no longer exists.") }
        var audience = Audience()
        audience.condition = experiment.audience.isEmpty ? nil : experiment.audience
        let rules = ModelLifecycle.Context(actor: log.actor, nowMicroseconds: log.atMicroseconds)
        let change = try ReleaseLifecycle.release(
            log.store.state(of: model, nowMicroseconds: log.atMicroseconds), known, audience: audience,
            allowContractChange: allowContractChange, allowCrashing: allowCrashing,
            allowFailedRehearsal: allowFailedRehearsal, context: rules)
        try log.store.save(change)
        return change.warnings
    }
}
