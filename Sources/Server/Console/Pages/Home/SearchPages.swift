import HearthHTTP
import HearthWire

/// Finds models, parameters, conditions, experiments, and an installation by its whole id.
enum SearchPages {
    static let routes: [ConsoleRoute] = [.page("projects/{project}/search", show)]

    private static func show(_ request: PageRequest) throws -> Page {
        let text = request.fields["q"]
        let found =
            text.isEmpty
            ? nil
            : try request.api.get(SearchBodies.Results.self, .project(request.project, "search").query(("q", text)))
        return Page(
            text.isEmpty ? "Search" : "Search for '\(text)'", .home,
            commands: [ShellText.command("hearth", "search", text)]
        ) {
            if let found {
                list("Models", found.models) { item in
                    (
                        item.displayName + (item.tags.isEmpty ? "" : " (\(item.tags.joined(separator: ", ")))"),
                        request.link("models", item.model)
                    )
                }
                list("Parameters of Remote Config", found.parameters) { ($0, request.link("config", "parameters", $0)) }
                list("Conditions of Remote Config", found.conditions) {
                    ($0, request.link("config", "conditions").with(fragment: $0))
                }
                list("Experiments", found.experiments) {
                    ("\($0.name), \($0.state)", request.link("experiments", $0.name))
                }
                if let installation = found.installation { registered(installation, found, request) }
                if isEmpty(found) {
                    p(.class("empty")) {
                        "Nothing was found. The search compares parts of names, tags and keys, and the whole id of an installation."
                    }
                }
            } else {
                p { "Type a part of a name, a tag or a key, or the whole id of an installation." }
            }
        }
    }

    private static func isEmpty(_ found: SearchBodies.Results) -> Bool {
        found.models.isEmpty && found.parameters.isEmpty && found.conditions.isEmpty && found.experiments.isEmpty
            && found.installation == nil
    }

    @MarkupBuilder
    private static func list<Item>(
        _ title: String, _ items: [Item], _ entry: (Item) -> (text: String, link: Link)
    ) -> Markup {
        if !items.isEmpty {
            section {
                h2 { title }
                ul {
                    items.map { item in
                        let (text, link) = entry(item)
                        return li { a(link) { text } }
                    }
                }
                if items.count >= SearchBodies.resultLimit {
                    p(.class("faint")) { "The first \(SearchBodies.resultLimit); type more to find others." }
                }
            }
        }
    }

    private static func registered(
        _ installation: String, _ found: SearchBodies.Results, _ request: PageRequest
    ) -> Markup {
        section {
            h2 { "Installation" }
            p {
                code { found.query }; " is registered; in logs it is "; code { installation }; "."
            }
            p { "What it gets and why stands on the page of a model's devices." }
        }
    }
}
