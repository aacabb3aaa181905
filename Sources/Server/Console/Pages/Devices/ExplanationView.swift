import HearthCalls
import HearthCatalog
import HearthWire

/// What one installation gets, and why.
struct ExplanationView {
    private let explanation: ReleaseBodies.Explanation
    private let model: PageModel

    init(_ explanation: ReleaseBodies.Explanation, _ model: PageModel) {
        self.explanation = explanation
        self.model = model
    }

    var markup: Markup {
        div(.class("card")) {
            p { strong { sentence } }
            if !explanation.isRegistered {
                p(.class("hint")) { "No installation with this id is registered; check the id." }
            }
            if let steps = explanation.experiments, steps.contains(where: { !$0.isIncluded }) {
                DataTable("Experiments with this model", ["Experiment", "Share", "Audience", "Includes the device"])
                    .rows(steps) { step in
                        [
                            .text(step.experiment), .text(SharePercent.text(step.share)),
                            .text(step.audience ?? "all devices"), .text(InclusionText.text(step)),
                        ]
                    }
            }
            if let steps = explanation.releases, !steps.isEmpty {
                DataTable(
                    "Releases, newest first",
                    ["Release", "Version", "State", "Share", "Audience", "Includes the device"]
                ).rows(steps) { step in
                    [
                        a(model.link("releases", "\(step.release)")) { "Release \(step.release)" },
                        .text("\(step.version)"),
                        .text(step.state), .text(SharePercent.text(step.share)),
                        .text(AudienceText.text(step.audience)),
                        .text(
                            InclusionText.text(
                                step, explanation.facts, share: SharePercent.text(step.share),
                                number: step.number.map { NumberText.percent($0, 4) })),
                    ]
                }
            }
            facts
        }
    }

    private var sentence: String {
        let device = explanation.installation
        guard let version = explanation.version else {
            return "\(device) gets no version of '\(explanation.model)': no release includes it."
        }
        return "\(device) gets version \(version) of '\(explanation.model)': \(reason)."
    }

    private var reason: String {
        switch explanation.reason {
        case "pin":
            explanation.pin?.tag.map { "its tag \($0) is pinned" } ?? "it is pinned"
        case "experiment":
            "variant '\(explanation.variant ?? "")' of the experiment '\(explanation.experiment ?? "")'"
        default:
            explanation.releases?.last { $0.isIncluded }.map { "release \($0.release) includes it" }
                ?? "a release includes it"
        }
    }

    private var facts: Markup {
        let facts = explanation.facts
        return .joined {
            p(.class("faint")) {
                if let time = facts.lastCallTime {
                    "Facts of its last call at "; Times.moment(time);
                    (facts.given ?? []).isEmpty ? "." : ", except what you gave."
                } else {
                    "The server remembers no call of this installation; unknown facts meet no condition."
                }
            }
            dl(.class("facts")) {
                VersionPages.fact("System", .text(facts.os ?? "unknown"))
                VersionPages.fact("App version", .text(facts.appVersion ?? "unknown"))
                VersionPages.fact("Language", .text(facts.language ?? "unknown"))
                VersionPages.fact("Country", .text(facts.country ?? "unknown"))
                VersionPages.fact("Tags", .text((facts.tags ?? []).joined(separator: ", ").nonEmpty ?? "none"))
                if explanation.isPinned { VersionPages.fact("Pinned", .text("yes; experiments do not count it")) }
            }
        }
    }
}
