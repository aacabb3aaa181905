import HearthWire

/// Whether a version may be released although a model requires a rehearsal first.
package enum RehearsalRule {
    /// What is known about a model's rehearsals when a version is about to be released.
    package struct Facts: Sendable, Hashable {
        /// The digest of the model's present images.
        package var imageSet: String
        package var imageCount: Int
        /// The results, without their images.
        package var records: [RehearsalRecord]

        package init(imageSet: String, imageCount: Int, records: [RehearsalRecord]) {
            self.imageSet = imageSet
            self.imageCount = imageCount
            self.records = records
        }
    }

    /// A model without requirements allows all. So does one that has released no version to all devices yet, because
    /// there is nothing to compare with.
    package static func check(
        _ known: ModelLifecycle.KnownVersion, _ state: ModelLifecycle.State, isAllowed: Bool
    ) -> (warnings: [String], refusal: CatalogError?) {
        guard let gate = state.model.rehearsalGate, let released = state.lastReleased,
            released.version.sha256 != known.version.sha256,
            let problem = problem(known.version, released.version, gate, state)
        else { return ([], nil) }
        guard state.model.rehearsalCheck == .refuse, !isAllowed else { return ([problem], nil) }
        return (
            [],
            CatalogError(
                .failedPrecondition,
                "Version \(known.version.number) is not released: \(problem). To release it nevertheless, give "
                    + "--allow-failed-rehearsal ('allowFailedRehearsal' in a call), or change the requirements with "
                    + "hearth models set.")
        )
    }

    private static func problem(
        _ version: ModelVersion, _ released: ModelVersion, _ requirements: String, _ state: ModelLifecycle.State
    ) -> String? {
        let facts = state.rehearsals ?? Facts(imageSet: "", imageCount: 0, records: [])
        guard facts.imageCount > 0 else {
            return "the model requires a rehearsal (\(requirements)) and has no images; add some with "
                + "hearth models images add \(state.model.displayName) FOLDER"
        }
        let record = facts.records.first {
            $0.candidateSHA256 == version.sha256 && $0.baselineSHA256 == released.sha256
                && $0.imageSet == facts.imageSet
        }
        guard let record,
            let summary = try? WireJSON.decode(RehearsalBodies.Summary.self, from: record.summaryJSON.utf8)
        else {
            return "it was not rehearsed against version \(released.number) on the model's present images; run "
                + "hearth models rehearse \(state.model.displayName) --version \(version.number)"
        }
        guard let gate = try? RehearsalGate(requirements) else { return "the model's requirements cannot be read" }
        return gate.problem(of: summary).map { "its rehearsal against version \(released.number) shows \($0)" }
    }
}
