import HearthWire

/// The form of a parameter. After a refusal it shows what was filled in.
struct ParameterFormView {
    private let page: ParameterPage
    private let sent: FormFields?

    init(_ page: ParameterPage) {
        self.page = page
        sent = page.scope.sent
    }

    private var scope: ConfigScope { page.scope }
    private var parameter: RemoteConfigParameter { page.parameter }

    var form: Markup {
        HearthConsole.form(
            scope.request, page.key.map { scope.parameterLink($0) } ?? scope.link("new-parameter")
        ) {
            scope.baseField(page.state)
            shownField
            Field.text(
                "key", "Key", value: field("key", page.key ?? ""),
                hint: page.key == nil
                    ? "The name that the app asks for: letters, digits and underscores."
                    : "Apps ask for this name. With another one they get their own default until they ask for it.",
                .required, Attribute("maxlength", "256"), Attribute("autocomplete", "off"))
            Field.area(
                "description", "Description", value: field("description", parameter.description ?? ""), rows: 2,
                hint: "For people, at most 256 characters.")
            Field.choice(
                "type", "Type of the values", ParameterForm.types,
                selected: field("type", ParameterForm.selectedType(parameter)),
                hint: "The server refuses a value that is not of this type.")
            groupFields
            h2 { "Values" }
            if !page.conditions.isEmpty {
                p {
                    "The device gets the value of the first condition that holds. The conditions stand in their order."
                }
            }
            conditionalValues
            addition
            valueFields(
                "default", "Default value", parameter.defaultValue, condition: nil, kinds: [.text, .inAppDefault])
            p(.class("actions")) {
                button(.class("primary")) { "Preview the change" }
                a(scope.link()) { "Back to the parameters" }
            }
            p(.class("faint")) { "Nothing is published yet: first you see what changes." }
        }
    }

    private func field(_ name: String, _ present: String) -> String { sent?.raw(name) ?? present }

    /// Which state of the parameter the form replaces. Whoever was told of another change, and sends the form again,
    /// replaces that change.
    private var shownField: Markup {
        let present = ParameterPage.digest(parameter, page.group)
        let isTold = scope.request.problem?.status == 409
        return input(
            .type("hidden"), .name("shown"), .value(isTold ? present : sent?.text("shown") ?? present))
    }

    @MarkupBuilder
    private var groupFields: Markup {
        let groups = (page.state.shown.parameterGroups ?? [:]).keys.sorted()
        if !groups.isEmpty {
            Field.choice(
                "group", "Group", [("", "none")] + groups.map { ($0, UserText.shown($0)) },
                selected: selected(groups))
        }
        Field.text(
            "new-group", groups.isEmpty ? "Group" : "Or a new group", value: field("new-group", ""),
            hint: "Groups are for people; apps do not see them.", Attribute("maxlength", "256"))
    }

    /// The option as it is written, for a group whose name comes back changed from a form.
    private func selected(_ groups: [String]) -> String {
        let name = UserText.roundTrip(field("group", page.group ?? ""))
        return groups.first { UserText.roundTrip($0) == name } ?? ""
    }

    private var conditionalValues: [Markup] {
        let values = parameter.conditionalValues ?? [:]
        let names = page.conditions.map(\.name).filter { values[$0] != nil }
        return names.enumerated().map { index, name in
            Markup.joined {
                input(.type("hidden"), .name("condition-\(index)"), .value(name))
                let kinds: [ParameterForm.Kind] =
                    ParameterForm.Kind(values[name]) == .keep
                    ? [.keep, .text, .inAppDefault, .remove] : [.text, .inAppDefault, .remove]
                valueFields("value-\(index)", "If ‘\(name)’", values[name], condition: name, kinds: kinds)
            }
        }
    }

    @MarkupBuilder
    private var addition: Markup {
        let free = page.conditions.map(\.name).filter { parameter.conditionalValues?[$0] == nil }
        if !free.isEmpty {
            let isBegun = sent.map { $0.text("add-condition") != nil || $0.text("add") != nil } ?? false
            details(Attribute("open", if: isBegun || scope.request.problem?.refusal(of: "add-condition") != nil)) {
                summary { "Add a value for a condition" }
                Field.choice(
                    "add-condition", "Condition", [("", "choose one")] + free.map { ($0, $0) },
                    selected: field("add-condition", ""),
                    refusal: scope.request.problem?.refusal(of: "add-condition"))
                valueFields(
                    "add", "Value for that condition", .text(""), condition: nil, kinds: [.text, .inAppDefault])
            }
        } else if page.conditions.isEmpty {
            p(.class("faint")) {
                "There is no condition yet. "
                a(scope.link("new-condition")) { "Make one" }
                " to give some devices another value."
            }
        }
    }

    // MARK: One value

    private func valueFields(
        _ name: String, _ title: String, _ value: RemoteConfigParameterValue?, condition: String?,
        kinds: [ParameterForm.Kind]
    ) -> Markup {
        fieldset {
            legend { title }
            Field.choice(
                "\(name)-kind", "The device gets", kinds.map { ($0.rawValue, $0.title) },
                selected: field("\(name)-kind", ParameterForm.Kind(value).rawValue))
            if ParameterForm.Kind(value) == .keep { p { ConfigValueView.cell(value, length: 2000) } }
            text(name, Self.text(value), value, condition)
        }
    }

    private static func text(_ value: RemoteConfigParameterValue?) -> String {
        if case .text(let text)? = value { text } else { "" }
    }

    @MarkupBuilder
    private func text(
        _ name: String, _ text: String, _ value: RemoteConfigParameterValue?, _ condition: String?
    ) -> Markup {
        if text.utf8.count > ParameterPage.longValue, sent?.raw(name) == nil,
            scope.request.fields.raw("whole") != name
        {
            p {
                "The value has \(ConfigValueView.size(text)). It stays as it is. It begins with "
                ConfigValueView.short(text, 500)
            }
            p {
                page.wholeLink(value, condition: condition)
                " "
                if let key = page.key {
                    a(scope.parameterLink(key).with([("whole", name)])) { "Edit the whole value" }
                }
            }
        } else {
            let shown = field(name, text)
            let refusal = refusal(name, condition)
            let controls =
                UserText.hasControls(text)
                ? """
                It has control characters, shown as \u{FFFD}. If you change the value here, they are lost; \
                ‘Edit as JSON’ keeps them.
                """
                : nil
            Field.area(
                name, "Value", value: shown,
                rows: min(12, 1 + shown.utf8.count(where: { $0 == 0x0A }) + shown.utf8.count / 100),
                hint: controls, refusal: refusal)
        }
    }

    /// Why the API refused the value.
    private func refusal(_ name: String, _ condition: String?) -> String? {
        if let own = scope.request.problem?.refusal(of: name) { return own }
        var condition = condition
        if name == "add" {
            guard let chosen = sent?.text("add-condition"), !chosen.isEmpty else { return nil }
            condition = chosen
        }
        let place = condition.map { ".conditionalValues.\($0)" } ?? ".defaultValue"
        return scope.request.problem?.violations.first { $0.field.hasSuffix(place) }?.description
    }
}
