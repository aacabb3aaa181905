/// How often the requirements of a gate err, as a table for people.
package struct GateTable: Sendable {
    package static let columns = ["Requirement", "Images", "Equal version refused", "Loss found", "Fewest lost"]

    private let gate: RehearsalGate
    private let counts: RehearsalCounts
    private let errors: [(requirement: RehearsalRequirement, errors: GateErrors?)]

    package init(_ gate: RehearsalGate, on counts: RehearsalCounts) {
        (self.gate, self.counts) = (gate, counts)
        errors = gate.errors(on: counts)
    }

    /// What the columns mean, and what the table does not say, one line each.
    package var explanation: [String] {
        let shares = GateErrors.shares.map(GateErrors.text).joined(separator: " / ")
        return [
            "Equal version refused: how often a version is refused that is as good as the one before, if \(shares) of the "
                + "answers differ.",
            "Loss found: the smallest loss that is refused in four of five cases, with the same shares.",
        ]
            + (gate.requirements.contains(where: \.asksForShownLoss)
                ? [
                    "Fewest lost: the fewest lost answers that show a larger loss than is allowed if none is gained. A smaller "
                        + "loss cannot be shown."
                ] : [])
            + always
            + (gate.requirements.count > 1
                ? [
                    "A version must meet all requirements: an equal one is refused at least as often as the largest number "
                        + "says, and at most as often as their sum."
                ] : [])
            + errors.filter { $0.errors != nil && $0.requirement.refusesNothing(on: counts) }.map {
                $0.requirement.refusesNothingText("these \(counts.images) images") + "."
            }
    }

    /// Why a requirement refuses every version.
    private var always: [String] {
        guard errors.contains(where: { $0.errors == nil }) else { return [] }
        let reason =
            counts.areEnough
            ? "no image has an expected answer"
            : "a rehearsal needs at least \(RehearsalLimits().leastImages) images, and there are \(counts.images)"
        return [
            "always: \(reason). hearth models gate --require \(gate.text) --images 100 says how often it errs on 100."
        ]
    }

    /// One row for each requirement.
    package var rows: [[String]] {
        errors.map { requirement, errors in
            guard let errors else {
                return [requirement.text, "\(GateErrors.judged(by: requirement, counts))", "always", "–", "–"]
            }
            let labels = counts.labels.count
            let images =
                requirement.judgesLabelsAlone && labels > 1
                ? "\(errors.images), fewest of \(labels)" : "\(errors.images)"
            return [
                requirement.text, images, errors.equalRefused.map(GateErrors.text).joined(separator: " / "),
                requirement.kind == .agreement
                    ? "–" : errors.foundLoss.map { $0.map(GateErrors.text) ?? "none" }.joined(separator: " / "),
                requirement.asksForShownLoss ? errors.leastLost.map { "\($0)" } ?? "none" : "–",
            ]
        }
    }
}
