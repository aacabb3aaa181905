import HearthHTTP
import HearthRemoteConfigTemplates
import HearthWire

/// One condition: a form, or its facts for readers.
struct ConditionPage {
    private let scope: ConfigScope
    private let state: TemplateState
    /// Nil for a new condition.
    private let condition: RemoteConfigCondition?

    static func show(_ scope: ConfigScope) throws -> Page {
        let state = try scope.state()
        let name = name(scope)
        guard let condition = state.shown.conditions?.first(where: { $0.name == name }) else {
            throw APIFailure(status: 404, message: "There is no condition '\(name.prefix(300))' in the template.")
        }
        return ConditionPage(scope: scope, state: state, condition: condition).page
    }

    static func showNew(_ scope: ConfigScope) throws -> Page {
        ConditionPage(scope: scope, state: try scope.state(), condition: nil).page
    }

    /// The name stands in the query, because a path cannot have each of the names, such as `..`.
    private static func name(_ scope: ConfigScope) -> String {
        scope.request.fields.raw(scope.sent == nil ? "name" : "condition") ?? ""
    }

    private var page: Page {
        scope.page(
            condition?.name ?? "New condition", tab: nil,
            above: scope.top + [("Conditions", scope.link("conditions"))], commands: commands, draft: .shown
        ) {
            if scope.mayEdit {
                form
                if let condition { deletion(condition) }
            } else if let condition {
                dl(.class("facts")) {
                    dt { "Expression" }
                    dd { code { condition.expression } }
                    dt { "Colour" }
                    dd { ConditionColor.mark(condition.tagColor) }
                    dt { "Used by" }
                    dd { users(condition.name) }
                }
            }
        }
    }

    private var form: Markup {
        let sent = scope.sent
        let expression = sent.map { $0.raw("expression") ?? "" } ?? condition?.expression ?? ""
        let mark = ConditionMark(scope.request.problem)
        return HearthConsole.form(scope.request, scope.link(condition == nil ? "new-condition" : "condition")) {
            // The Enter key presses the first button of a form.
            button(.class("hidden"), Attribute("tabindex", "-1"), Attribute("aria-hidden", "true")) { "Preview" }
            scope.baseField(state)
            if let condition { input(.type("hidden"), .name("condition"), .value(condition.name)) }
            Field.text(
                "name", "Name", value: sent?.raw("name") ?? condition?.name ?? "",
                hint:
                    "Letters, digits, blanks and -_'!%. . The values of parameters follow a condition to its new name.",
                .required, Attribute("maxlength", "256"), Attribute("autocomplete", "off"))
            div(.class("field")) {
                label(for: "expression") { "Expression" }
                textarea(
                    .id("expression"), .name("expression"), Attribute("rows", "3"), Attribute("spellcheck", "false"),
                    .required,
                    Attribute("aria-describedby", mark == nil ? "expression-hint" : "expression-error expression-hint"),
                    Attribute("aria-invalid", mark.map { _ in "true" }),
                    text: expression)
                if let mark { mark.markup(in: UserText.roundTrip(expression), id: "expression-error") }
                small(.id("expression-hint")) {
                    "Such as device.country in ['CH'] && app.version.>=(['2.10']), or percent('seed') <= 10. Join terms with &&."
                }
            }
            ConditionBuilder(scope).markup
            Field.choice(
                "color", "Colour",
                [("", "none")] + ConditionColor.all.map { ($0, ConditionColor.name($0)) },
                selected: sent?.raw("color") ?? condition?.tagColor ?? "", hint: "For people only.")
            p(.class("actions")) {
                button(.class("primary")) { "Preview the change" }
                a(scope.link("conditions")) { "Back to the conditions" }
            }
            p(.class("faint")) {
                condition == nil
                    ? "A new condition comes last in the order. Nothing is published yet: first you see what changes."
                    : "Nothing is published yet: first you see what changes."
            }
        }
    }

    @MarkupBuilder
    private func users(_ name: String) -> Markup {
        let keys = state.shown.usersByCondition[name] ?? []
        if keys.isEmpty {
            "no parameter"
        } else {
            a(scope.link().with([("condition", name)])) { NumberText.count(keys.count, "parameter") }
        }
    }

    private func deletion(_ condition: RemoteConfigCondition) -> Markup {
        let keys = state.shown.usersByCondition[condition.name] ?? []
        return .joined {
            h2 { "Used by" }
            p { users(condition.name) }
            details {
                summary { "Delete this condition" }
                p {
                    if keys.isEmpty {
                        "No parameter has a value for it."
                    } else {
                        "\(NumberText.count(keys.count, "parameter")) \(keys.count == 1 ? "loses its" : "lose their") value for it: "
                        "\(keys.prefix(10).joined(separator: ", "))\(keys.count > 10 ? ", …" : ""). You see the change before it "
                        "is published."
                    }
                }
                HearthConsole.form(scope.request, scope.link("condition", "delete")) {
                    input(.type("hidden"), .name("condition"), .value(condition.name))
                    button(.class("danger")) { "Delete ‘\(condition.name)’" }
                }
            }
        }
    }

    private var commands: [String] {
        let put = "hearth remoteconfig put template.json\(scope.option)"
        let get = "hearth remoteconfig get --output template.json\(scope.option)"
        guard let condition else { return [get, put] }
        return [
            "hearth remoteconfig conditions\(scope.option)",
            "hearth remoteconfig set KEY VALUE --condition \(ShellText.quoted(condition.name))\(scope.option)", get,
            put,
        ]
    }
}

/// What the forms of conditions do.
extension ConditionPage {
    private static func condition(_ fields: FormFields, _ present: RemoteConfigCondition?) -> RemoteConfigCondition {
        RemoteConfigCondition(
            name: fields["name"],
            expression: UserText.sent(fields.raw("expression") ?? "", present: present?.expression),
            tagColor: fields.text("color")
                ?? (present?.tagColor == "CONDITION_DISPLAY_COLOR_UNSPECIFIED" ? present?.tagColor : nil))
    }

    /// The form again, with the terms of the rows in its expression.
    private static func built(
        _ scope: ConfigScope, _ show: (ConfigScope) throws -> Page
    ) throws -> ConsoleRoute.Answer {
        var request = scope.request
        request.fields = try ConditionBuilder(scope).filled()
        return .page(try show(ConfigScope(request, scope.namespace)))
    }

    static func submit(_ scope: ConfigScope) throws -> ConsoleRoute.Answer {
        if ConditionBuilder.isAsked(scope) { return try built(scope, show) }
        try ConditionBuilder(scope).checkNothingIsLost()
        let name = name(scope)
        let hasDraft = try scope.edit { template in
            guard let present = template.conditions?.first(where: { $0.name == name }) else {
                throw APIFailure(
                    status: 404, message: "The condition '\(name.prefix(300))' is gone: someone deleted it meanwhile.")
            }
            let new = condition(scope.request.fields, present)
            if new.name != name { try checkFree(new.name, template) }
            template.setCondition(new, replacing: name)
        }
        return scope.afterEdit(hasDraft, scope.link("conditions"))
    }

    static func submitNew(_ scope: ConfigScope) throws -> ConsoleRoute.Answer {
        if ConditionBuilder.isAsked(scope) { return try built(scope, showNew) }
        try ConditionBuilder(scope).checkNothingIsLost()
        let hasDraft = try scope.edit { template in
            let new = condition(scope.request.fields, nil)
            try checkFree(new.name, template)
            template.setCondition(new, replacing: nil)
        }
        return scope.afterEdit(hasDraft, scope.link("conditions"))
    }

    static func delete(_ scope: ConfigScope) throws -> ConsoleRoute.Answer {
        let name = scope.request.fields.raw("condition") ?? ""
        return scope.afterEdit(try scope.edit { $0.removeCondition(name) }, scope.link("conditions"))
    }

    private static func checkFree(_ name: String, _ template: RemoteConfigTemplate) throws {
        guard template.conditions?.contains(where: { $0.name == name }) == true else { return }
        throw APIFailure(
            status: 409, message: "There is a condition '\(name.prefix(300))' already. Choose another name.")
    }
}
