import HearthCalls
import HearthHTTP
import HearthRemoteConfigTemplates
import HearthWire

/// Finds models, parameters, conditions, experiments, and an installation by its whole id.
enum SearchPages {
    static let routes: [ConsoleRoute] = [.page("projects/{project}/search", show)]

    private static func show(_ request: PageRequest) throws -> Page {
        let text = request.fields["q"]
        let found =
            text.isEmpty
            ? nil
            : try request.api.call(ProjectCalls.search, query: [("q", text)])
        let models = found?.installation == nil ? [] : try self.models(request)
        var page = Page(
            text.isEmpty ? "Search" : "Search for '\(text)'", .home,
            commands: [ShellText.command("hearth", "search", text.isEmpty ? "TEXT" : text)]
        ) {
            if let found {
                list("Models", found.models) { model(request, $0) }
                list("Parameters of Remote Config", found.parameters) { key in
                    a(request.link("config", "parameters", key)) { key }
                }
                list("Conditions of Remote Config", found.conditions) { name in
                    a(ConfigScope(request, .client).conditionLink(name)) { name }
                }
                list("Experiments", found.experiments) { item in
                    a(request.link("experiments", item.name)) { "\(item.name), \(item.state)" }
                }
                if let installation = found.installation { registered(installation, models, request) }
                if isEmpty(found) { nothing(found.query) }
            } else {
                p { "What the search finds:" }
                searched
            }
        }
        page.searched = text
        return page
    }

    private static func isEmpty(_ found: SearchBodies.Results) -> Bool {
        found.models.isEmpty && found.parameters.isEmpty && found.conditions.isEmpty && found.experiments.isEmpty
            && found.installation == nil
    }

    private static func nothing(_ text: String) -> Markup {
        div(.class("empty")) {
            p { strong { "Nothing was found for '\(text)'." } }
            p { "The search looks for the text as it is; upper and lower case are the same. It finds:" }
            searched
            if let refusal = InstallationID.refusal(of: text) {
                p { refusal }
            } else {
                p { "'\(text)' has the form of an installation's id, but no such installation is registered here." }
            }
        }
    }

    private static var searched: Markup {
        ul {
            li {
                "models, by a part of their name, number, tags and aliases of versions, or by their name in logs, such as models/12"
            }
            li { "parameters and conditions of Remote Config, by a part of their name" }
            li { "experiments, by a part of their name" }
            li { "an installation, by its whole id: the 22 characters that the app prints" }
        }
    }

    private static func model(_ request: PageRequest, _ item: SearchBodies.Model) -> Markup {
        .joined {
            a(request.link("models", item.model)) { item.displayName }
            if !item.tags.isEmpty { " (\(item.tags.joined(separator: ", ")))" }
            (item.aliases ?? []).map { alias in
                Markup.joined {
                    ", "
                    a(request.link("models", item.model, "versions", "\(alias.version)")) {
                        "\(alias.alias): version \(alias.version)"
                    }
                }
            }
        }
    }

    @MarkupBuilder
    private static func list<Item>(_ title: String, _ items: [Item], _ entry: (Item) -> Markup) -> Markup {
        if !items.isEmpty {
            section {
                h2 { title }
                ul {
                    items.map { item in li { entry(item) } }
                }
                if items.count >= SearchBodies.resultLimit {
                    p(.class("faint")) { "The first \(SearchBodies.resultLimit); type more to find others." }
                }
            }
        }
    }

    /// The published models, of which an installation may get something.
    private static func models(_ request: PageRequest) throws -> [ModelResource] {
        let list = try request.api.call(
            ModelCalls.list, query: [("filter", "state.published = true"), ("pageSize", "50")])
        return list.models ?? []
    }

    private static func registered(
        _ installation: String, _ models: [ModelResource], _ request: PageRequest
    ) -> Markup {
        section {
            h2 { "Installation" }
            p {
                code { installation }; " is registered."
            }
            if models.isEmpty {
                p { "It gets nothing: the project has no published model." }
            } else {
                p { "What it gets, and why:" }
                ul {
                    models.map { model in
                        let id = (model.name ?? "").split(separator: "/").last.map(String.init) ?? ""
                        return li {
                            a(request.explanation(of: installation, model: id)) { "of \(model.displayName ?? id)" }
                        }
                    }
                }
            }
        }
    }
}
