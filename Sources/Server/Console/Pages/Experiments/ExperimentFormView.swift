import HearthCalls
import HearthWire

/// The fields of an experiment. After a refusal they show what was filled in.
struct ExperimentFormView {
    private static let variantCount = 5
    private static let guardrailCount = 3
    private static let kinds = [
        ("conversion", "share of installations that log it"), ("total", "sum of its values per installation"),
        ("average", "mean of its values"),
    ]
    /// The value of the field `do` of the button that shows the versions of the chosen model.
    private static let showVersions = "versions"

    private let request: PageRequest
    private let choices: ExperimentChoices
    private var fields: FormFields { request.fields }

    init(_ request: PageRequest, _ choices: ExperimentChoices) {
        self.request = request
        self.choices = choices
    }

    static func asksForVersions(_ request: PageRequest) -> Bool { request.fields["do"] == showVersions }

    func form(_ action: Link, name: String?) -> Markup {
        HearthConsole.form(request, action) {
            let submit = name == nil ? "Create the draft" : "Save the draft"
            // The Enter key presses the first button of a form.
            button(.class("hidden"), Attribute("tabindex", "-1"), Attribute("aria-hidden", "true")) { submit }
            if let name {
                input(.type("hidden"), .name("name"), .value(name))
            } else {
                Field.text(
                    "name", "Name", value: fields["name"], hint: "1 to 32 letters, digits, hyphens or underscores.",
                    .required, Attribute("maxlength", "32"))
            }
            Field.text("note", "What it is about", value: fields["note"])
            varying
            goal
            guardrails
            devices
            details(Attribute("open", if: fields.text("json") != nil)) {
                summary { "Or as JSON" }
                Field.area(
                    "json", "The whole definition", value: fields["json"], rows: 12,
                    hint:
                        "If this is not empty, it counts instead of the fields above. It can vary several parameters and models."
                )
            }
            button(.class("primary")) { submit }
        }
    }

    /// Whether nobody has filled in the form yet; the address may choose a model.
    private var isFirst: Bool { fields.raw("variant-0") == nil }

    private func refusal(_ name: String) -> String? { request.problem?.refusal(of: name) }

    // MARK: What varies

    /// A draft may be about a model that was deleted or renamed: the form must not drop it in silence.
    private var models: [(value: String, text: String)] {
        let chosen = fields["model"]
        let isKnown = chosen.isEmpty || choices.models.contains(chosen)
        return [("", "none")] + choices.models.map { ($0, $0) } + (isKnown ? [] : [(chosen, "\(chosen) (is gone)")])
    }

    private var varying: Markup {
        fieldset {
            legend { "What varies" }
            Field.choice(
                "model", "Model", models, selected: fields["model"],
                refusal: refusal("model"))
            if !choices.models.isEmpty {
                p(.class("actions")) {
                    button(.name("do"), .value(Self.showVersions), Attribute("formnovalidate", if: true)) {
                        "Show its versions"
                    }
                }
            }
            Field.text(
                "parameter", "Remote Config parameter", value: fields["parameter"],
                hint: choices.parameters.isEmpty
                    ? "The template has no parameter yet. An experiment varies a model, a parameter, or both."
                    : """
                    Choose one of the \(NumberText.count(choices.parameters.count)) of the template. An \
                    experiment varies a model, a parameter, or both.
                    """,
                refusal: refusal("parameter"), Attribute("list", "parameters"), Attribute("autocomplete", "off"))
            Field.choices("parameters", choices.parameters.map { ($0, $0) })
            if isNewParameter {
                Field.check(
                    "new-parameter", "Create the parameter", isSet: fields.isSet("new-parameter"),
                    hint:
                        "Publishes a version of the template with it. Devices outside of the experiment use the app’s own default."
                )
            }
            if choices.versions != nil { input(.type("hidden"), .name("versions-of"), .value(fields["model"])) }
            div(.class("scroll"), Attribute("role", "region"), .label("Variants"), Attribute("tabindex", "0")) {
                variants
            }
            p(.class("faint")) {
                """
                The first variant is the control. A row without a name must be empty. A variant without a version or \
                value gets what devices get usually; an empty text as a value can be written as JSON.
                """
            }
        }
    }

    /// Whether the refused form names a parameter that the template does not have.
    private var isNewParameter: Bool {
        fields.isSet("new-parameter") || fields.text("json") != nil && refusal("parameter") != nil
            || fields.text("parameter").map { !choices.parameters.contains($0) } ?? false
    }

    private var variants: Markup {
        table {
            caption(.class("hidden")) { "Variants: the first one is the control" }
            thead {
                tr {
                    ["Variant", "Weight", "Version of the model", "Value of the parameter"].map { name in
                        th { name }
                    }
                }
            }
            tbody {
                (0..<Self.variantCount).map { index in
                    tr {
                        rowHead {
                            cell(
                                "variant-\(index)", "Name of variant \(index + 1)",
                                usual: index == 0 ? "control" : index == 1 ? "variant-1" : "")
                        }
                        td {
                            cell("weight-\(index)", "Weight of variant \(index + 1)", usual: index < 2 ? "1" : "")
                        }
                        td { version(index) }
                        td { cell("value-\(index)", "Value in variant \(index + 1)", usual: "") }
                    }
                }
            }
        }
    }

    @MarkupBuilder
    private func cell(_ name: String, _ title: String, usual: String) -> Markup {
        let refusal = refusal(name)
        input(
            .name(name), .type("text"), .label(title), .value(fields.raw(name) ?? (isFirst ? usual : "")),
            Attribute("aria-invalid", refusal.map { _ in "true" }))
        if let refusal { small { refusal } }
    }

    /// The versions of the chosen model; without one there is nothing to choose.
    @MarkupBuilder
    private func version(_ index: Int) -> Markup {
        let isOfAnother = fields.raw("versions-of").map { $0 != fields["model"] } ?? false
        let chosen = isOfAnother ? "" : fields["version-\(index)"]
        if let versions = choices.versions {
            let usable = versions.filter { $0.verdict != "malformed" || "\($0.version)" == chosen }
            let isKnown = chosen.isEmpty || usable.contains { "\($0.version)" == chosen }
            select(.name("version-\(index)"), .label("Version in variant \(index + 1)")) {
                option("", "the usual one", isSelected: chosen.isEmpty)
                if !isKnown { option(chosen, "version \(chosen), which is not there", isSelected: true) }
                usable.map { option("\($0.version)", Self.title($0), isSelected: "\($0.version)" == chosen) }
            }
        } else {
            span(.class("faint")) { choices.models.isEmpty ? "There is no model yet" : "Choose a model first" }
        }
    }

    private static func title(_ version: ReleaseBodies.Version) -> String {
        let aliases = (version.aliases ?? []).joined(separator: ", ")
        let note = version.note.map { UserText.shown($0).prefix(60) } ?? ""
        return (["\(version.version)"] + [aliases, String(note), version.verdict].filter { !$0.isEmpty })
            .joined(separator: " – ")
    }

    // MARK: What is measured

    private var goal: Markup {
        fieldset {
            legend { "Goal" }
            Field.text("goal-event", "Event that the app logs", value: fields["goal-event"], hint: "Such as purchase.")
            Field.choice("goal-kind", "What counts", Self.kinds, selected: fields.text("goal-kind") ?? "conversion")
            Field.check("goal-lower", "A lower value is better", isSet: fields.isSet("goal-lower"))
            Field.choice(
                "goal-model", "Only events about a model", [("", "all events")] + choices.models.map { ($0, $0) },
                selected: fields["goal-model"])
        }
    }

    private var guardrails: Markup {
        fieldset {
            legend { "Guardrails: what must not get worse" }
            (0..<Self.guardrailCount).map { index in
                let refusal = refusal("rail-event-\(index)")
                return div(.class("actions")) {
                    label(for: "rail-event-\(index)") { "Event" }
                    input(
                        .id("rail-event-\(index)"), .name("rail-event-\(index)"), .type("search"),
                        .value(fields["rail-event-\(index)"]),
                        Attribute("aria-invalid", refusal.map { _ in "true" }))
                    if let refusal { small { refusal } }
                    label(for: "rail-kind-\(index)") { "counts" }
                    select(.id("rail-kind-\(index)"), .name("rail-kind-\(index)")) {
                        Self.kinds.map { option($0.0, $0.1, isSelected: fields["rail-kind-\(index)"] == $0.0) }
                    }
                    label(for: "rail-margin-\(index)") { "may be worse by, in per cent" }
                    input(
                        .id("rail-margin-\(index)"), .name("rail-margin-\(index)"), .type("search"),
                        Attribute("size", "5"), .value(fields["rail-margin-\(index)"]))
                    span(.class("kept")) {
                        input(
                            .id("rail-lower-\(index)"), .name("rail-lower-\(index)"), .type("checkbox"), .value("yes"),
                            Attribute("checked", if: fields.isSet("rail-lower-\(index)")))
                        " "
                        label(for: "rail-lower-\(index)") { "lower is better" }
                    }
                }
            }
        }
    }

    // MARK: Who takes part

    private var devices: Markup {
        // An expression that a condition has is shown by the condition's name.
        let written = fields["audience"]
        let named = choices.conditions.first { $0.expression == written }?.name
        let isShownByName = fields.text("audience-condition") == nil && named != nil
        return fieldset(.class("narrow")) {
            legend { "Devices and test" }
            Field.number("share", "Share of the devices, in per cent", value: fields.raw("share") ?? "100")
            if !choices.conditions.isEmpty {
                Field.choice(
                    "audience-condition", "Devices that meet a condition of the template",
                    [("", "none chosen")] + choices.conditions.map { ($0.name, $0.name) },
                    selected: isShownByName ? named ?? "" : fields["audience-condition"],
                    hint:
                        "The experiment takes over its expression of now; later changes of the condition do not count.",
                    refusal: refusal("audience-condition"))
            }
            Field.area(
                "audience", choices.conditions.isEmpty ? "Condition" : "Or an expression",
                value: isShownByName ? "" : written, rows: 2,
                hint: "Empty for all devices; such as device.os == 'ios'.", refusal: refusal("audience"))
            Field.text(
                "layer", "Layer", value: fields["layer"],
                hint: "Experiments of one layer have no device in common; may stay empty.")
            Field.number(
                "planned", "Installations per variant that you expect", value: fields.raw("planned") ?? "10000",
                hint: "The test finds a difference soonest near this number.")
            Field.number("error", "Error rate, in per cent", value: fields.raw("error") ?? "5")
            Field.check("stops", "A winner stops the experiment", isSet: isFirst || fields.isSet("stops"))
        }
    }
}
