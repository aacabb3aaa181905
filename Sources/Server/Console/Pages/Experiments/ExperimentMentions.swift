import HearthCalls
import HearthWire

/// The experiments that vary a model or set a parameter, on the page of that model or parameter.
struct ExperimentMentions {
    private let request: PageRequest
    private let experiments: [ExperimentBodies.Experiment]
    /// What a variant gets of the thing that the page is about; nil if nothing of its own.
    private let variantContent: @Sendable (ExperimentBodies.Variant) -> String?
    /// The title of the column with that.
    private let contentTitle: String
    /// What a running experiment means.
    private let runningMeaning: String

    private static let mostEnded = 20

    static func varying(_ model: PageModel, _ request: PageRequest) throws -> ExperimentMentions {
        let name = model.name
        return ExperimentMentions(
            request, try list(request, ("model", model.id)), "Versions",
            "A device that takes part in a running experiment gets the version of its variant, whatever the releases say."
        ) { variant in
            variant.models?[name].map { "version \($0)" }
        }
    }

    static func setting(_ parameter: String, _ request: PageRequest) throws -> ExperimentMentions {
        ExperimentMentions(
            request, try list(request, ("parameter", parameter)), "Values",
            "A device that takes part in a running experiment gets the value of its variant, whatever stands above."
        ) { variant in
            variant.parameters?[parameter].map {
                ConfigValueView.cut($0, ConfigValueView.cellLength).map { $0 + "…" } ?? $0
            }
        }
    }

    private static func list(
        _ request: PageRequest, _ filter: (String, String?)
    ) throws -> [ExperimentBodies.Experiment] {
        try request.api.call(ExperimentCalls.list, query: [filter]).experiments ?? []
    }

    private init(
        _ request: PageRequest, _ experiments: [ExperimentBodies.Experiment], _ contentTitle: String,
        _ runningMeaning: String,
        variantContent: @escaping @Sendable (ExperimentBodies.Variant) -> String?
    ) {
        (self.request, self.experiments, self.variantContent) = (request, experiments, variantContent)
        (self.contentTitle, self.runningMeaning) = (contentTitle, runningMeaning)
    }

    /// Empty if there is no experiment.
    @MarkupBuilder
    var markup: Markup {
        let open = experiments.filter { $0.endTime == nil }
        let ended = experiments.filter { $0.endTime != nil }
        if !experiments.isEmpty {
            section(.id("experiments")) {
                h2 { "Experiments" }
                if open.contains(where: { $0.state == "running" }) { p { runningMeaning } }
                if !open.isEmpty { table("Experiments that run or are planned", open) }
                if !ended.isEmpty {
                    details {
                        summary { "Experiments that have ended (\(NumberText.count(ended.count)))" }
                        table("Experiments that have ended", Array(ended.prefix(Self.mostEnded)))
                        if ended.count > Self.mostEnded {
                            p { a(request.link("experiments")) { "All experiments of the project" } }
                        }
                    }
                }
            }
        }
    }

    private func table(_ title: String, _ items: [ExperimentBodies.Experiment]) -> Markup {
        DataTable(title, ["Experiment", "State", "Share", contentTitle, "Began", "Ended"]).rows(items) { item in
            let name = item.definition.name
            return [
                a(request.link("experiments", name)) { name }, ExperimentText.state(item),
                .text(
                    "\(SharePercent.text(item.definition.share ?? 1)) of "
                        + (item.definition.audience == nil ? "all devices" : "some devices")),
                .text(
                    item.definition.variants.map { "\($0.name): \(variantContent($0) ?? "as other devices")" }
                        .joined(separator: "; ")),
                Times.moment(item.startTime), Times.moment(item.endTime),
            ]
        }
    }
}
