import HearthWire

/// Whether a release or an experiment includes a device, and why, on one line.
package enum InclusionText {
    /// `no: its country is AT`.
    ///
    /// - Parameters:
    ///   - share: the step's share, as the reader sees shares.
    ///   - number: the device's number in the release, written like the share; nil if it has none.
    package static func text(
        _ step: ReleaseBodies.Explanation.Step, _ facts: ReleaseBodies.Explanation.Facts, share: String, number: String?
    ) -> String {
        guard let because = step.because else {
            return step.isIncluded ? number.map { "yes: its number \($0) is below \(share)" } ?? "yes" : "no"
        }
        let tags = facts.tags ?? []
        let reason =
            switch because {
            case "paused": "paused, and it does not have version \(step.version)"
            case "share": "its number \(number ?? "") is not below \(share)"
            case "operatingSystem": "its system is \(facts.os ?? "unknown")"
            case "country": "its country is \(facts.country ?? "unknown")"
            case "language": "its language is \(facts.language ?? "unknown")"
            case "appVersion": "its app version is \(facts.appVersion ?? "unknown")"
            case "tag": tags.isEmpty ? "it has no tags" : "its tags are \(tags.joined(separator: ", "))"
            case "condition": "it does not meet the condition"
            default: because
            }
        return "no: \(reason)".printable
    }

    /// `no: it is in the share of the experiment 'colours'`.
    package static func text(_ step: ReleaseBodies.Explanation.ExperimentStep) -> String {
        guard let because = step.because else { return step.isIncluded ? "yes" : "no" }
        return "no: \(absence(because, otherExperiment: step.otherExperiment))"
    }

    /// Why a device does not take part in an experiment: `it is in the share of the experiment 'colours'`.
    package static func absence(_ because: String, otherExperiment: String?) -> String {
        let other = otherExperiment ?? ""
        let reason =
            switch because {
            case "installation": "it has no id"
            case "share": "it is not in its share"
            case "audience": "it does not meet the condition"
            case "otherExperiment": "it is in the share of the experiment '\(other)'"
            case "pinnedVariant": "a variant of the experiment '\(other)' is pinned"
            case "unpublished": "the model is not published"
            default: because
            }
        return reason.printable
    }
}
