import HearthCatalog
import HearthExperiments
import HearthTargeting
import HearthWire

/// The conditions of releases and experiments for a new snapshot: those of the one before are taken over, those that were
/// just checked too, and all others are read when a device is asked about.
struct ServedConditions {
    private let known: [String: StoredCondition]
    private let recent: RecentConditions
    private let log: @Sendable (String) -> Void

    init(_ old: ServingSnapshot?, recent: RecentConditions, log: @escaping @Sendable (String) -> Void) {
        let all = (old?.projects ?? [:]).values.flatMap(\.conditions).map { ($0.text, $0) }
        known = Dictionary(all, uniquingKeysWith: { first, _ in first })
        self.recent = recent
        self.log = log
    }

    func condition(of release: ServedRelease) -> StoredCondition? {
        release.release.audience.condition.map { text in
            condition(text) {
                """
                project '\(release.projectID)': the condition of release \(release.release.number) of '\(release.displayName)' \
                cannot be used, nobody meets it: \($0)
                """
            }
        }
    }

    /// Nil for everybody.
    func audience(of experiment: Experiment) -> StoredCondition? {
        guard !experiment.audience.isEmpty else { return nil }
        return condition(experiment.audience) {
            """
            project '\(experiment.projectID)': the audience of the experiment '\(experiment.name)' cannot be used, nobody takes \
            part: \($0)
            """
        }
    }

    private func condition(
        _ text: String, _ line: @escaping @Sendable (ConditionSyntaxError) -> String
    ) -> StoredCondition {
        known[text]
            ?? StoredCondition(text, condition: recent.known(text)) { [log] in log(line($0)) }
    }
}

extension ServingSnapshot.ProjectPart {
    /// Those of its releases under way and of its running experiments.
    var conditions: [StoredCondition] {
        releases.values.flatMap { $0.compactMap(\.condition) } + experiments.all.compactMap(\.audience)
    }

    /// Whether the project may have this condition beside those that it has.
    ///
    /// - Throws: 400 where the regular expressions of all together need more than they may.
    func check(_ condition: Condition?, field: String) throws(APIError) {
        guard let condition, condition.instructions > 0 else { return }
        var instructions = condition.instructions
        var seen: Set<String> = [condition.text]
        for other in conditions where seen.insert(other.text).inserted {
            instructions += other.condition?.instructions ?? 0
            guard instructions <= ConditionLimits.projectInstructions else {
                let text = """
                    The regular expressions of the conditions of all releases under way and all running experiments of the project \
                    need more than \(ConditionLimits.projectInstructions) instructions together. End some of them, or write fewer \
                    or shorter expressions; contains and exactlyMatches need none.
                    """
                throw .invalid(field, text, message: text)
            }
        }
    }
}
