import HearthCrypto
import HearthHTTP
import HearthRemoteConfigTemplates
import HearthWire

/// One parameter: for publishers a form, for others a table of its values.
struct ParameterPage {
    /// A longer value is not in the form until the person asks for it.
    static let longValue = 20_000

    let scope: ConfigScope
    let state: TemplateState
    /// Nil for a new parameter.
    let key: String?
    let parameter: RemoteConfigParameter
    let group: String?
    /// Those that set the parameter.
    var experiments: ExperimentMentions?

    static func show(_ scope: ConfigScope) throws -> Page {
        let state = try scope.state()
        let key = scope.request.path["parameter"]
        guard let (group, parameter) = state.shown.parameter(key) else {
            throw APIFailure(status: 404, message: "There is no parameter '\(key.prefix(300))' in the template.")
        }
        // No experiment sets a parameter of servers.
        let experiments = scope.namespace == .client ? try ExperimentMentions.setting(key, scope.request) : nil
        return ParameterPage(
            scope: scope, state: state, key: key, parameter: parameter, group: group, experiments: experiments
        ).page
    }

    static func showNew(_ scope: ConfigScope) throws -> Page {
        ParameterPage(
            scope: scope, state: try scope.state(), key: nil,
            parameter: RemoteConfigParameter(defaultValue: .text(""), valueType: "STRING"), group: nil
        ).page
    }

    private var page: Page {
        scope.page(
            key ?? "New parameter", tab: nil, above: scope.top, commands: commands, draft: .shown
        ) {
            if scope.mayEdit {
                ParameterFormView(self).form
            } else {
                facts
                values
            }
            experiments?.markup
            if scope.mayEdit, let key { deletion(key) }
        }
    }

    // MARK: For readers

    private var facts: Markup {
        dl(.class("facts")) {
            dt { "Description" }
            dd { parameter.description.map { Markup.text($0) } ?? .text("–") }
            dt { "Type" }
            dd { ConfigValueView.type(parameter) }
            dt { "Group" }
            dd { group.map { UserText.label($0) } ?? .text("–") }
        }
    }

    private var values: Markup {
        let conditional = conditions.compactMap { condition in
            parameter.conditionalValues?[condition.name].map { (condition.name, condition.expression, $0) }
        }
        let rows =
            conditional.map { ($0.0, $0.1, RemoteConfigParameterValue?.some($0.2)) } + [
                ("Otherwise", "", parameter.defaultValue)
            ]
        return DataTable(
            "Values in order of priority", ["If", "Expression", "Value"], showsTitle: true
        )
        .rows(rows) { name, expression, value in
            [
                .text(name), ConfigValueView.short(expression, 200),
                .joined {
                    ConfigValueView.cell(value, length: 2000)
                    wholeLink(value, condition: name == "Otherwise" && expression.isEmpty ? nil : name)
                },
            ]
        }
    }

    var conditions: [RemoteConfigCondition] { state.shown.conditions ?? [] }

    /// A link to the whole value if a page shows only its beginning.
    @MarkupBuilder
    func wholeLink(_ value: RemoteConfigParameterValue?, condition: String?) -> Markup {
        if case .text(let text)? = value, text.utf8.count > 2000, let key {
            " "
            a(scope.link("parameters", key, "value").with(condition.map { [("condition", $0)] } ?? [])) {
                "Open the whole value (\(ConfigValueView.size(text)))"
            }
        }
    }

    // MARK: The end of a parameter

    private func deletion(_ key: String) -> Markup {
        details {
            summary { "Delete this parameter" }
            p {
                "Apps that ask for \(key) then use their own default value. You see the change before it is published."
            }
            HearthConsole.form(scope.request, scope.link("parameters", key, "delete")) {
                button(.class("danger")) { "Delete \(key)" }
            }
        }
    }

    private var commands: [String] {
        let option = scope.option
        guard let key else { return ["hearth remoteconfig set KEY VALUE --type string\(option)"] }
        var commands: [String] = []
        if case .text(let text)? = parameter.defaultValue {
            commands.append("hearth remoteconfig set \(key) \(ShellText.value(text))\(option)")
        } else {
            commands.append("hearth remoteconfig set \(key) VALUE\(option)")
        }
        for condition in conditions {
            guard case .text(let text)? = parameter.conditionalValues?[condition.name], commands.count < 5 else {
                continue
            }
            let name = ShellText.quoted(condition.name)
            commands.append("hearth remoteconfig set \(key) \(ShellText.value(text)) --condition \(name)\(option)")
        }
        return commands + ["hearth remoteconfig unset \(key)\(option)"]
    }
}

/// What the forms of parameters do.
extension ParameterPage {
    static func submit(_ scope: ConfigScope) throws -> ConsoleRoute.Answer {
        let key = scope.request.path["parameter"]
        var target = key
        let hasDraft = try scope.edit { template in
            guard let present = template.parameter(key) else {
                throw APIFailure(
                    status: 404, message: "The parameter '\(key.prefix(300))' is gone: someone deleted it meanwhile.")
            }
            if let shown = scope.request.fields.text("shown"), shown != digest(present.parameter, present.group) {
                throw APIFailure(
                    status: 409,
                    message: """
                        Your draft got another change of this parameter after you opened this form, perhaps in \
                        another tab. This form would replace it. Below is what you filled in; send it again to \
                        replace the other change.
                        """
                )
            }
            let form = try ParameterForm(
                scope.request.fields, present: present, groups: Array((template.parameterGroups ?? [:]).keys))
            if form.key != key { try checkFree(form.key, template) }
            target = form.key
            template.setParameter(form.key, form.parameter, group: form.group)
            if form.key != key { template.removeParameter(key) }
        }
        return scope.afterEdit(hasDraft, scope.parameterLink(target))
    }

    static func submitNew(_ scope: ConfigScope) throws -> ConsoleRoute.Answer {
        let hasDraft = try scope.edit { template in
            let form = try ParameterForm(
                scope.request.fields, present: nil, groups: Array((template.parameterGroups ?? [:]).keys))
            try checkFree(form.key, template)
            template.setParameter(form.key, form.parameter, group: form.group)
        }
        return scope.afterEdit(hasDraft, scope.link())
    }

    static func delete(_ scope: ConfigScope) throws -> ConsoleRoute.Answer {
        let key = scope.request.path["parameter"]
        return scope.afterEdit(try scope.edit { $0.removeParameter(key) }, scope.link())
    }

    /// Differs for each content of a parameter.
    static func digest(_ parameter: RemoteConfigParameter, _ group: String?) -> String {
        let bytes = (try? WireJSON.encode(parameter)) ?? []
        return String(SHA256Hasher.hash(bytes + Array((group ?? "").utf8)).hex.prefix(16))
    }

    /// Otherwise the form would replace another parameter.
    private static func checkFree(_ key: String, _ template: RemoteConfigTemplate) throws {
        guard template.parameter(key) != nil else { return }
        throw APIFailure(
            status: 409,
            message: "There is a parameter '\(key.prefix(300))' already. Choose another key, or change that one.")
    }

    /// A value as plain text, however long it is.
    static func value(_ scope: ConfigScope) throws -> ConsoleRoute.Answer {
        let key = scope.request.path["parameter"]
        let parameter = try scope.state().shown.parameter(key)?.parameter
        let condition = scope.request.fields.raw("condition")
        let value = condition.map { parameter?.conditionalValues?[$0] } ?? parameter?.defaultValue
        guard case .text(let text)? = value else {
            throw APIFailure(status: 404, message: "There is no such value.")
        }
        return .response(.text(text))
    }
}
