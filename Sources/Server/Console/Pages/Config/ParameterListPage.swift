import HearthRemoteConfigTemplates
import HearthWire

/// The parameters of a template, filtered and paged by the address.
struct ParameterListPage {
    private typealias Entry = (key: String, group: String?, parameter: RemoteConfigParameter)

    private static let pageSize = 100

    private let scope: ConfigScope
    private let state: TemplateState
    private let all: [Entry]

    static func show(_ scope: ConfigScope) throws -> Page { ParameterListPage(scope, try scope.state()).page }

    private init(_ scope: ConfigScope, _ state: TemplateState) {
        self.scope = scope
        self.state = state
        all = state.shown.allParameters
    }

    private var page: Page {
        scope.page(
            scope.name, tab: .parameters,
            commands: [
                "hearth remoteconfig get\(scope.option)",
                "hearth remoteconfig set KEY VALUE\(scope.option)",
                "hearth remoteconfig get --output template.json\(scope.option)",
            ], draft: .shown
        ) {
            version
            if scope.mayEdit {
                p(.class("actions")) {
                    a(scope.link("new-parameter"), .class("button primary")) { "New parameter" }
                    if state.activeVersion > 0 {
                        a(scope.link("template.json"), .class("button")) {
                            "Download version \(state.activeVersion) as JSON"
                        }
                    }
                }
            }
            if all.isEmpty { empty } else { list }
        }
    }

    private var version: Markup {
        p {
            if let version = state.active.version, let number = version.versionNumber {
                "Active: "
                a(scope.versionLink(number)) { "version \(number)" }
                ", "
                scope.authorship(version)
                if let text = version.description {
                    ": ‘\(ConfigValueView.cut(text, 200).map { $0 + "…" } ?? text)’"
                }
            } else {
                "No version is published yet."
            }
        }
    }

    private var empty: Markup {
        div(.class("empty")) {
            p {
                scope.namespace == .client
                    ? "There is no parameter yet. A parameter is a value that apps fetch, such as the model to use or a text."
                    : "There is no parameter yet. Programs with an Admin SDK fetch this template and evaluate it themselves."
            }
            if scope.mayEdit {
                p {
                    "Make the first one: "
                    a(scope.link("new-parameter")) { "name it and give it a default value" }
                    ". Or "
                    a(scope.link("json")) { "paste a template" }
                    " that you wrote for Firebase."
                }
            } else {
                p { "A publisher can make the first one here." }
            }
        }
    }

    // MARK: The list

    @MarkupBuilder
    private var list: Markup {
        let found = filtered
        let pages = max(1, (found.count + Self.pageSize - 1) / Self.pageSize)
        let number = min(max(1, Int(scope.request.fields["page"]) ?? 1), pages)
        let start = (number - 1) * Self.pageSize
        let shown = found.dropFirst(start).prefix(Self.pageSize)
        filterForm
        p(Attribute("role", "status")) {
            if found.isEmpty {
                "No parameter is like that. "
                a(scope.link()) { "Show all \(NumberText.count(all.count))" }
            } else if shown.count < found.count {
                "\(NumberText.count(start + 1)) to \(NumberText.count(start + shown.count)) of "
                "\(NumberText.count(found.count, "parameter"))."
            } else {
                "\(NumberText.count(found.count, "parameter"))."
            }
        }
        if !shown.isEmpty {
            DataTable("Parameters", ["Key", "Description", "Default value", "Conditional values", "Type", "Group"])
                .rows(Array(shown), row)
        }
        if pages > 1 { pager(number, pages) }
    }

    private func row(_ entry: Entry) -> [Markup] {
        [
            a(scope.parameterLink(entry.key)) { entry.key },
            entry.parameter.description.map { text in
                .text((ConfigValueView.cut(text, 120) ?? text) + (text.utf8.count > 120 ? "…" : ""))
            } ?? .empty,
            ConfigValueView.cell(entry.parameter.defaultValue),
            .text(entry.parameter.conditionalValues.map { $0.isEmpty ? "–" : NumberText.count($0.count) } ?? "–"),
            .text(ConfigValueView.type(entry.parameter)), entry.group.map { UserText.label($0) } ?? .text("–"),
        ]
    }

    private var filtered: [Entry] {
        let fields = scope.request.fields
        let words = fields["q"].lowercased()
        let (group, condition) = (UserText.roundTrip(fields.raw("group") ?? ""), fields.raw("condition") ?? "")
        return all.filter { entry in
            (group.isEmpty || entry.group.map(UserText.roundTrip) == group)
                && (condition.isEmpty || entry.parameter.conditionalValues?[condition] != nil)
                && (words.isEmpty || entry.key.lowercased().contains(words)
                    || (entry.parameter.description ?? "").lowercased().contains(words)
                    || (entry.group ?? "").lowercased().contains(words))
        }
    }

    private var filterForm: Markup {
        let fields = scope.request.fields
        let groups = Set(all.compactMap(\.group)).sorted()
        let conditions = (state.shown.conditions ?? []).map(\.name)
        return searchForm(scope.link(), .class("filter"), .label("Filter of the parameters")) {
            Field.text("q", "Key, description or group", value: fields["q"], Attribute("maxlength", "256"))
            if !groups.isEmpty {
                Field.choice(
                    "group", "Group", [("", "all")] + groups.map { ($0, UserText.shown($0)) },
                    selected: fields.raw("group") ?? "")
            }
            if !conditions.isEmpty {
                Field.choice(
                    "condition", "With a value for", [("", "any condition")] + conditions.map { ($0, $0) },
                    selected: fields.raw("condition") ?? "")
            }
            button { "Filter" }
        }
    }

    private func pager(_ number: Int, _ pages: Int) -> Markup {
        let fields = scope.request.fields
        func page(_ number: Int) -> Link {
            let kept = ["q", "group", "condition"].compactMap { name in fields.text(name).map { (name, $0) } }
            return scope.link().with(kept + [("page", String(number))])
        }
        return nav(.class("actions"), .label("Pages of the list")) {
            if number > 1 { a(page(number - 1), .class("button")) { "Page before" } }
            span { "Page \(number) of \(pages)" }
            if number < pages { a(page(number + 1), .class("button")) { "Next page" } }
        }
    }
}
