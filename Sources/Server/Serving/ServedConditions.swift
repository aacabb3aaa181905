import HearthCatalog
import HearthConcurrency
import HearthCrypto
import HearthExperiments
import HearthRemoteConfigTemplates
import HearthStorage
import HearthTargeting
import HearthWire

/// The conditions of releases and experiments for a new snapshot. It reuses those of the previous snapshot and those
/// that were just checked. The others are parsed when a device asks.
struct ServedConditions {
    private let known: [String: LazyCondition]
    private let recent: ConditionCache
    private let log: @Sendable (String) -> Void

    init(_ old: ServingSnapshot?, recent: ConditionCache, log: @escaping @Sendable (String) -> Void) {
        let all = (old?.projects ?? [:]).values.flatMap(\.conditions).map { ($0.text, $0) }
        known = Dictionary(all, uniquingKeysWith: { first, _ in first })
        self.recent = recent
        self.log = log
    }

    func condition(of release: ServedRelease) -> LazyCondition? {
        release.release.audience.condition.map { text in
            condition(text) {
                """
                project '\(release.projectID)': the condition of release \(release.release.number) of '\(release.displayName)' \
                cannot be used, so no device meets it: \($0)
                """
            }
        }
    }

    /// Nil for all devices.
    func audience(of experiment: Experiment) -> LazyCondition? {
        guard !experiment.audience.isEmpty else { return nil }
        return condition(experiment.audience) {
            """
            project '\(experiment.projectID)': the audience of the experiment '\(experiment.name)' cannot be used, so no device \
            takes part: \($0)
            """
        }
    }

    private func condition(
        _ text: String, _ line: @escaping @Sendable (ConditionSyntaxError) -> String
    ) -> LazyCondition {
        known[text]
            ?? LazyCondition(text, condition: recent.known(text)) { [log] in log(line($0)) }
    }
}
