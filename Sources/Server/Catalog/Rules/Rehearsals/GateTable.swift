/// How often the requirements of a gate err, as a table for people.
package enum GateTable {
    package static let columns = ["Requirement", "Images", "Equal version refused", "Loss found", "Fewest lost"]

    /// What the columns mean, one line each.
    package static func explanation(of gate: RehearsalGate, on counts: RehearsalCounts) -> [String] {
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
            + (gate.requirements.contains { GateErrors.judged(by: $0, counts) == 0 }
                ? [
                    "always: there are no images for it yet. hearth models gate --require \(gate.text) --images 100 says how "
                        + "often it errs on 100."
                ] : [])
            + (gate.requirements.count > 1
                ? [
                    "A version must meet all requirements: an equal one is refused at least as often as the largest number "
                        + "says, and at most as often as their sum."
                ] : [])
    }

    /// One row for each requirement.
    package static func rows(_ gate: RehearsalGate, on counts: RehearsalCounts) -> [[String]] {
        gate.errors(on: counts).map { requirement, errors in
            guard let errors else { return [requirement.text, "0", "always", "–", "–"] }
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
