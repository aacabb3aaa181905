import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthWire

/// The list of experiments, with what each has found.
enum ExperimentListPages {
    static let routes: [ConsoleRoute] = [.page("projects/{project}/experiments", list)]

    private static let states = [
        ("", "all"), ("running", "running"), ("draft", "drafts"), ("stopped", "stopped"), ("rolledOut", "rolled out"),
    ]
    /// How many results one page computes.
    private static let pageSize = 30

    private static func list(_ request: PageRequest) throws -> Page {
        let all =
            try request.api.call(ExperimentCalls.list).experiments ?? []
        let (state, text) = (request.fields["state"], request.fields["q"].lowercased())
        let found = all.filter { item in
            (state.isEmpty || item.state == state) && (text.isEmpty || item.definition.name.lowercased().contains(text))
        }
        let part = ListPart(of: found, size: pageSize, request.fields)
        return try Page("Experiments", .experiments, commands: ["hearth experiments list"]) {
            if request.may(.publisher) {
                div(.class("actions")) {
                    a(request.link("experiments", "new"), .class("button primary")) { "Create an experiment" }
                }
            }
            if all.isEmpty {
                div(.class("empty")) {
                    p { strong { "There is no experiment yet." } }
                    p {
                        """
                        An experiment gives parts of your devices different versions of a model, or different values \
                        of a parameter, and finds out which is better in an event that the app logs.
                        """
                    }
                }
            } else {
                filter(request, state)
                try table(part.items, request)
                if let next = part.next {
                    p {
                        a(
                            request.link("experiments").with([
                                ("q", request.fields["q"]), ("state", state), ("from", "\(next)"),
                            ])
                        ) {
                            "More experiments"
                        }
                    }
                }
            }
        }
    }

    private static func filter(_ request: PageRequest, _ state: String) -> Markup {
        .element(
            "form",
            [
                .class("actions"), .action(request.link("experiments")), Attribute("role", "search"),
                .label("Filter the experiments"),
            ],
            .joined {
                label(for: "q") { "Name" }
                input(.id("q"), .name("q"), .type("search"), .value(request.fields["q"]))
                label(for: "state") { "State" }
                select(.id("state"), .name("state")) {
                    states.map { option($0.0, $0.1, isSelected: $0.0 == state) }
                }
                button { "Filter" }
            })
    }

    private static func table(_ items: [ExperimentBodies.Experiment], _ request: PageRequest) throws -> Markup {
        try DataTable(
            "Experiments, newest first",
            ["Experiment", "State", "Goal", "Best effect", "Verdict", "Installations", "Began", "Ended"]
        ).rows(items) { item in
            let name = item.definition.name
            let results =
                item.startTime == nil
                ? nil
                : try request.api.find(
                    ExperimentCalls.results, name,
                    query: [("maxAge", item.state == "running" ? ExperimentPages.maxAge : "86400")])
            let installations = results.map { $0.exposures.map(\.installations).reduce(0, +) }
            let isEmpty = installations == 0
            return [
                a(request.link("experiments", name)) { name }, ExperimentText.state(item),
                .text(ExperimentText.metric(item.definition.goal)),
                .text(isEmpty ? "–" : results.flatMap(ExperimentText.bestEffect) ?? "–"),
                isEmpty ? .text("no reports yet") : HomePages.verdict(results?.verdict),
                .text(installations.map { NumberText.count($0) } ?? "–"),
                Times.moment(item.startTime), Times.moment(item.endTime),
            ]
        }
    }
}
