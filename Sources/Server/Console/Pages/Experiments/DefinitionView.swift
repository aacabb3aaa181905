import HearthCalls
import HearthWire

/// What an experiment compares, and how.
struct DefinitionView {
    private let item: ExperimentBodies.Experiment
    private let request: PageRequest

    init(_ item: ExperimentBodies.Experiment, _ request: PageRequest) {
        self.item = item
        self.request = request
    }

    /// `flowers version 3`, `colour = red`.
    static func content(_ variant: ExperimentBodies.Variant) -> String {
        let models = (variant.models ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key) version \($0.value)" }
        let parameters = (variant.parameters ?? [:]).sorted { $0.key < $1.key }.map { key, value in
            "\(key) = \(value.count > 80 ? value.prefix(80) + "…" : value[...])"
        }
        return (models + parameters).joined(separator: ", ").nonEmpty ?? "nothing of its own"
    }

    var markup: Markup {
        let definition = item.definition
        let weights = definition.variants.map { $0.weight ?? 1 }.reduce(0, +)
        return section {
            h2 { "What is compared" }
            DataTable("Variants", ["Variant", "Gets", "Share"]).rows(Array(definition.variants.enumerated())) {
                index, variant in
                [
                    .text(variant.name + (index == 0 ? " (control)" : "")), .text(Self.content(variant)),
                    .text(
                        NumberText.percent(
                            Double(variant.weight ?? 1) / Double(max(1, weights)) * (definition.share ?? 1), 2)),
                ]
            }
            dl(.class("facts")) {
                VersionPages.fact("Goal", .text(ExperimentText.metric(definition.goal)))
                (definition.guardrails ?? []).map { guardrail in
                    VersionPages.fact(
                        "Guardrail",
                        .text(
                            ExperimentText.metric(guardrail.metric)
                                + ", at most \(NumberText.percent(guardrail.margin ?? 0)) worse"))
                }
                VersionPages.fact(
                    "Devices",
                    .text(
                        "\(SharePercent.text(definition.share ?? 1)) of "
                            + (definition.audience.map { "those with \($0)" } ?? "all")))
                if let layer = definition.layer { VersionPages.fact("Layer", .text(layer)) }
                VersionPages.fact(
                    "Planned",
                    .text("\(NumberText.count(definition.plannedExposures ?? 10_000, "installation")) per variant"))
                VersionPages.fact("Error rate", .text(NumberText.percent(definition.errorRate ?? 0.05, 2)))
                VersionPages.fact(
                    "A winner",
                    .text(definition.stopsAtWinner ?? true ? "stops the experiment" : "does not stop the experiment"))
                VersionPages.fact(
                    "Made",
                    .joined {
                        Times.moment(item.createTime); item.createdBy.isEmpty ? "" : " by \(item.createdBy)"
                    })
                if let time = item.startTime { VersionPages.fact("Began", Times.moment(time)) }
                if let time = item.endTime {
                    VersionPages.fact(
                        "Ended",
                        .joined {
                            Times.moment(time); item.endReason.map { ": \($0)" } ?? ""
                        })
                }
                if let winner = item.winner { VersionPages.fact("Winner", .text(winner)) }
            }
        }
    }
}
