package import HearthWire

/// What a rehearsal must show before a version is released, such as `agreement=98%,shown-loss=1%`. A version must meet all
/// requirements.
package struct RehearsalGate: Sendable, Hashable {
    /// In the order of their kinds.
    package let requirements: [RehearsalRequirement]

    /// - Throws: `invalidArgument`, whose text says what a gate looks like.
    package init(_ text: String) throws(CatalogError) {
        var found: [RehearsalRequirement.Kind: RehearsalRequirement] = [:]
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let requirement = try RehearsalRequirement(String(part)), found[requirement.kind] == nil else {
                throw Self.malformed(String(part))
            }
            found[requirement.kind] = requirement
        }
        requirements = RehearsalRequirement.Kind.allCases.compactMap { found[$0] }
    }

    /// The canonical form.
    package var text: String { requirements.map(\.text).joined(separator: ",") }

    /// One line for each requirement that the result does not meet. Without a version to compare with there is nothing
    /// that could get worse, so all are met.
    package func failures(of summary: RehearsalBodies.Summary) -> [String] {
        judge(summary) { $0.isShown(lost: $1, gained: $2) }.failures
    }

    /// The failures, and the requirements behind them as far as they could be judged.
    private func judge(
        _ summary: RehearsalBodies.Summary, _ isShown: LossTest.Judge
    ) -> (failures: [String], failed: [RehearsalRequirement]) {
        guard summary.baseline != nil else { return ([], []) }
        guard summary.compared > 0 else {
            return (["no image could be compared: both versions failed on all of them"], [])
        }
        let judged = requirements.filter { !$0.kind.needsExpectedAnswers || summary.labeled > 0 }
        let found = judged.map { (requirement: $0, failures: $0.failures(of: summary, isShown)) }
        let others = requirements.filter { !judged.contains($0) }.map(\.text)
        let unknown =
            others.isEmpty
            ? [] : ["\(others.joined(separator: " and ")): cannot be judged, because no image has an expected answer"]
        return (found.flatMap(\.failures) + unknown, found.filter { !$0.failures.isEmpty }.map(\.requirement))
    }

    /// The result of the comparison with these requirements.
    ///
    /// - Parameter hasNotes: whether to say what so many images cannot tell. A list of results does without, because that
    ///   takes more time than the comparison.
    package func verdict(on summary: RehearsalBodies.Summary, hasNotes: Bool = true) -> RehearsalBodies.Verdict {
        let isCompared = summary.baseline != nil && summary.compared > 0
        return RehearsalBodies.Verdict(
            require: text, failures: failures(of: summary),
            notes: hasNotes && isCompared ? notes(on: RehearsalCounts(summary), in: summary) : [])
    }

    /// The failures on one line, with how often the requirements behind them refuse versions that are as good as the one
    /// before; nil without failures.
    package func problem(of summary: RehearsalBodies.Summary) -> String? {
        problem(of: summary) { $0.isShown(lost: $1, gained: $2) }
    }

    /// - Parameter isShown: asked once for each set of answers that is judged, because servers ask while they write.
    func problem(of summary: RehearsalBodies.Summary, _ isShown: LossTest.Judge) -> String? {
        let (failures, failed) = judge(summary, isShown)
        guard !failures.isEmpty else { return nil }
        let warnings = failed.compactMap { $0.warning(on: RehearsalCounts(summary), in: summary)?.text }
        return failures.prefix(3).joined(separator: "; ")
            + (failures.count > 3 ? "; and \(failures.count - 3) more" : "")
            + (warnings.isEmpty ? "" : " (\(warnings.joined(separator: "; ")))")
    }

    /// What the requirements cannot tell on so many images, one line each.
    ///
    /// - Parameter result: the result on these images, if there is one.
    package func notes(on counts: RehearsalCounts, in result: RehearsalBodies.Summary? = nil) -> [String] {
        requirements.compactMap { $0.note(on: counts, in: result) }
    }

    /// How often each requirement errs on so many images; nil for one that these images cannot answer, so that it refuses
    /// every version.
    package func errors(on counts: RehearsalCounts) -> [(requirement: RehearsalRequirement, errors: GateErrors?)] {
        requirements.map { ($0, counts.areEnough ? GateErrors(of: $0, on: counts) : nil) }
    }

    private static func malformed(_ part: String) -> CatalogError {
        CatalogError(
            .invalidArgument,
            "\(OneLineText.quoted(part)) is not a requirement. Requirements are shown-loss=1% (refuses if the images show a "
                + "loss of more than one point), label-shown-loss=10%, agreement=98% (0% to 100%), accuracy=-1% (may fall by "
                + "one point), accuracy=+1% (must rise by one) and label-accuracy=-10%, each at most once, joined by commas."
        )
    }
}
