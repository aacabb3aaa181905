import HearthTargeting
package import HearthWire

extension RemoteConfigTemplate {
    /// Probable mistakes in conditions that the other template does not have like that, one line each.
    package func warnings(since other: RemoteConfigTemplate) -> [String] {
        let before = Set(other.conditions ?? [])
        return (conditions ?? []).filter { !before.contains($0) }.flatMap { condition in
            let warnings = (try? Condition(condition.expression))?.warnings ?? []
            return warnings.map { "condition '\(condition.name)': \($0)" }
        }
    }
}
