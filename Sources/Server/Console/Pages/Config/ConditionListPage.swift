import HearthRemoteConfigTemplates
import HearthWire

/// The conditions of a template in their order, which people change by buttons.
struct ConditionListPage {
    private let scope: ConfigScope
    private let state: TemplateState
    private let conditions: [RemoteConfigCondition]

    static func show(_ scope: ConfigScope) throws -> Page { ConditionListPage(scope, try scope.state()).page }

    private init(_ scope: ConfigScope, _ state: TemplateState) {
        self.scope = scope
        self.state = state
        conditions = state.shown.conditions ?? []
    }

    private var page: Page {
        scope.page(
            "Conditions", tab: .conditions, above: scope.top,
            commands: ["hearth remoteconfig conditions\(scope.option)"],
            scripts: scope.mayEdit ? ["config.js"] : [], draft: .shown
        ) {
            p {
                "A parameter gets the value of the first condition in this order that holds for the device and for which the "
                "parameter has a value."
            }
            if scope.mayEdit {
                p(.class("actions")) { a(scope.link("new-condition"), .class("button primary")) { "New condition" } }
            }
            if conditions.isEmpty { empty } else { table }
        }
    }

    private var empty: Markup {
        div(.class("empty")) {
            p {
                "There is no condition yet. With a condition, some devices get another value: those in a country, with a "
                "version of the app, or a share of all."
            }
            if scope.mayEdit {
                p { a(scope.link("new-condition")) { "Make the first condition" } }
            }
        }
    }

    private var table: Markup {
        let users = state.shown.usersByCondition
        return .joined {
            if scope.mayEdit {
                p(.class("faint")) {
                    "Alt with the up or down arrow moves the condition whose row has the focus. Nothing is published until you "
                    "have looked at the changes."
                }
            }
            DataTable("Conditions in order of priority", ["Name", "Place", "Expression", "Colour", "Used by"])
                .rows(Array(conditions.enumerated())) { index, item in
                    [
                        a(scope.conditionLink(item.name)) { item.name }, place(index, item.name),
                        ConfigValueView.short(item.expression, 300), ConditionColor.mark(item.tagColor),
                        usage(item.name, users[item.name] ?? []),
                    ]
                }
        }
    }

    private func usage(_ name: String, _ keys: [String]) -> Markup {
        guard !keys.isEmpty else { return .text("no parameter") }
        let shown = keys.prefix(3)
        return .joined {
            shown.enumerated().map { index, key in
                Markup.joined {
                    if index > 0 { ", " }
                    a(scope.parameterLink(key)) { key }
                }
            }
            if keys.count > shown.count {
                " and "
                a(scope.link().with([("condition", name)])) {
                    "\(NumberText.count(keys.count - shown.count)) more"
                }
            }
        }
    }

    private func place(_ index: Int, _ name: String) -> Markup {
        guard scope.mayEdit else { return .text(String(index + 1)) }
        return form(scope.request, scope.link("conditions", "move"), .class("inline pair")) {
            "\(index + 1) "
            input(.type("hidden"), .name("name"), .value(name))
            button(
                .name("to"), .value("up"), .id("up-\(index)"), .label("Move ‘\(name)’ up"),
                Attribute("disabled", if: index == 0)
            ) { "↑" }
            " "
            button(
                .name("to"), .value("down"), .id("down-\(index)"), .label("Move ‘\(name)’ down"),
                Attribute("disabled", if: index == conditions.count - 1)
            ) { "↓" }
        }
    }

    /// Moves a condition by one place. The page comes back with the focus on a button of the same condition, so that the
    /// same key moves it on.
    static func move(_ scope: ConfigScope) throws -> ConsoleRoute.Answer {
        let fields = scope.request.fields
        let isUp = fields["to"] == "up"
        var place: (index: Int, count: Int)?
        try scope.edit { template in
            let index = template.moveCondition(fields.raw("name") ?? "", by: isUp ? -1 : 1)
            place = index.map { ($0, template.conditions?.count ?? 0) }
        }
        guard let place else {
            throw APIFailure(status: 404, message: "The condition is gone: someone deleted it meanwhile.")
        }
        let isAtEnd = isUp ? place.index == 0 : place.index == place.count - 1
        let button = isUp != isAtEnd ? "up" : "down"
        return .redirect(scope.link("conditions").with(fragment: "\(button)-\(place.index)"))
    }
}

/// The colours that consoles show conditions in.
enum ConditionColor {
    static let all = [
        "BLUE", "BROWN", "CYAN", "DEEP_ORANGE", "GREEN", "INDIGO", "LIME", "ORANGE", "PINK", "PURPLE", "TEAL",
    ]

    /// The colour and its name.
    static func mark(_ color: String?) -> Markup {
        guard let color, all.contains(color) else { return .text("–") }
        return .joined {
            span(.class("swatch swatch-\(color.lowercased())"), Attribute("aria-hidden", "true")) {}
            " \(name(color))"
        }
    }

    static func name(_ color: String) -> String { color.lowercased().replacing("_", with: " ") }
}
