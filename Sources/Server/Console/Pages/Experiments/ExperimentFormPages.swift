import HearthCatalog
import HearthHTTP
import HearthWire

/// The form that makes an experiment, or changes a draft.
enum ExperimentFormPages {
    static let routes: [ConsoleRoute] =
        ConsoleRoute.form("projects/{project}/experiments/new", for: .publisher, show: new, submit: create)
        + ConsoleRoute.form(
            "projects/{project}/experiments/{experiment}/edit", for: .publisher, show: edit, submit: save)

    private static let variantCount = 5
    private static let guardrailCount = 3
    private static let kinds = [
        ("conversion", "share of installations that log it"), ("total", "sum of its values per installation"),
        ("average", "mean of its values"),
    ]

    private static func new(_ request: PageRequest) throws -> Page {
        try page("Create an experiment", request, request.link("experiments", "new"), name: nil)
    }

    private static func edit(_ request: PageRequest) throws -> Page {
        let name = request.path["experiment"]
        var request = request
        if request.fields.isEmpty {
            let item = try request.api.get(ExperimentBodies.Experiment.self, ExperimentPages.path(request, name))
            request.fields = ExperimentFields(item.definition).fields
        }
        return try page("Edit \(name)", request, request.link("experiments", name, "edit"), name: name)
    }

    private static func page(_ title: String, _ request: PageRequest, _ action: Link, name: String?) throws -> Page {
        let fields = request.fields
        let models =
            try request.api.get(
                ModelList.self, APIPath.models(request.project).query(("pageSize", "1000"))
            ).models ?? []
        return Page(
            title, .experiments,
            above: [("Experiments", request.link("experiments"))]
                + (name.map { [($0, request.link("experiments", $0))] } ?? []),
            commands: ["hearth experiments create NAME --model flowers --versions 1,2 --goal purchase"]
        ) {
            form(request, action) {
                if let name {
                    input(.type("hidden"), .name("name"), .value(name))
                } else {
                    Field.text(
                        "name", "Name", value: fields["name"], hint: "1 to 32 letters, digits, hyphens or underscores.",
                        .required, Attribute("maxlength", "32"))
                }
                Field.text("note", "What it is about", value: fields["note"])
                varying(fields, models)
                goal(fields, models)
                guardrails(fields)
                devices(fields)
                details(Attribute("open", if: fields.text("json") != nil)) {
                    summary { "Or as JSON" }
                    Field.area(
                        "json", "The whole definition", value: fields["json"], rows: 12,
                        hint:
                            "If this is not empty, it counts instead of the fields above. It can vary several parameters and models."
                    )
                }
                button(.class("primary")) { name == nil ? "Create the draft" : "Save the draft" }
            }
        }
    }

    private static func varying(_ fields: FormFields, _ models: [ModelResource]) -> Markup {
        fieldset {
            legend { "What varies" }
            Field.choice(
                "model", "Model", [("", "none")] + models.compactMap(\.displayName).sorted().map { ($0, $0) },
                selected: fields["model"])
            Field.text(
                "parameter", "Remote Config parameter", value: fields["parameter"],
                hint: "A model, a parameter, or both.")
            div(.class("scroll"), Attribute("role", "region"), .label("Variants"), Attribute("tabindex", "0")) {
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
                        (0..<variantCount).map { index in
                            tr {
                                rowHead {
                                    cell(
                                        "variant-\(index)", "Name of variant \(index + 1)", fields,
                                        usual: index == 0 ? "control" : index == 1 ? "variant-1" : "")
                                }
                                td {
                                    cell(
                                        "weight-\(index)", "Weight of variant \(index + 1)", fields,
                                        usual: index < 2 ? "1" : "")
                                }
                                td { cell("version-\(index)", "Version in variant \(index + 1)", fields, usual: "") }
                                td { cell("value-\(index)", "Value in variant \(index + 1)", fields, usual: "") }
                            }
                        }
                    }
                }
            }
            p(.class("faint")) { "The first variant is the control. A variant without a name is left out." }
        }
    }

    private static func cell(_ name: String, _ title: String, _ fields: FormFields, usual: String) -> Markup {
        input(.name(name), .type("text"), .label(title), .value(fields.raw(name) ?? (fields.isEmpty ? usual : "")))
    }

    private static func goal(_ fields: FormFields, _ models: [ModelResource]) -> Markup {
        fieldset {
            legend { "Goal" }
            Field.text("goal-event", "Event that the app logs", value: fields["goal-event"], hint: "Such as purchase.")
            Field.choice("goal-kind", "What counts", kinds, selected: fields.text("goal-kind") ?? "conversion")
            Field.check("goal-lower", "A lower value is better", isSet: fields.isSet("goal-lower"))
            Field.choice(
                "goal-model", "Only events about a model",
                [("", "all events")] + models.compactMap(\.displayName).sorted().map { ($0, $0) },
                selected: fields["goal-model"])
        }
    }

    private static func guardrails(_ fields: FormFields) -> Markup {
        fieldset {
            legend { "Guardrails: what must not get worse" }
            (0..<guardrailCount).map { index in
                div(.class("actions")) {
                    label(for: "rail-event-\(index)") { "Event" }
                    input(
                        .id("rail-event-\(index)"), .name("rail-event-\(index)"), .type("search"),
                        .value(fields["rail-event-\(index)"]))
                    label(for: "rail-kind-\(index)") { "counts" }
                    select(.id("rail-kind-\(index)"), .name("rail-kind-\(index)")) {
                        kinds.map { option($0.0, $0.1, isSelected: fields["rail-kind-\(index)"] == $0.0) }
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

    private static func devices(_ fields: FormFields) -> Markup {
        fieldset(.class("narrow")) {
            legend { "Devices and test" }
            Field.number("share", "Share of the devices, in per cent", value: fields.raw("share") ?? "100")
            Field.area(
                "audience", "Condition", value: fields["audience"], rows: 2,
                hint: "Empty for all devices; such as device.os == 'ios'.")
            Field.text(
                "layer", "Layer", value: fields["layer"],
                hint: "Experiments of one layer have no device in common; may stay empty.")
            Field.number(
                "planned", "Installations per variant that you expect", value: fields.raw("planned") ?? "10000",
                hint: "The test finds a difference soonest near this number.")
            Field.number("error", "Error rate, in per cent", value: fields.raw("error") ?? "5")
            Field.check("stops", "A winner stops the experiment", isSet: fields.isEmpty || fields.isSet("stops"))
        }
    }

    private static func create(_ request: PageRequest) throws -> ConsoleRoute.Answer {
        let definition = try ExperimentFields.definition(request.fields)
        try request.api.send(
            ExperimentBodies.Experiment.self, .post, .project(request.project, "experiments"), definition)
        return .redirect(request.link("experiments", definition.name).done(.created))
    }

    private static func save(_ request: PageRequest) throws -> ConsoleRoute.Answer {
        let name = request.path["experiment"]
        let definition = try ExperimentFields.definition(request.fields)
        try request.api.send(
            ExperimentBodies.Experiment.self, .put, ExperimentPages.path(request, name), definition)
        return .redirect(request.link("experiments", name).done(.saved))
    }
}

/// A definition as the fields of the form, and back.
struct ExperimentFields {
    private let definition: ExperimentBodies.Definition

    init(_ definition: ExperimentBodies.Definition) { self.definition = definition }

    var fields: FormFields {
        let models = Set(definition.variants.flatMap { ($0.models ?? [:]).keys })
        let parameters = Set(definition.variants.flatMap { ($0.parameters ?? [:]).keys })
        var items: [(name: String, value: String)] = [("name", definition.name), ("note", definition.note ?? "")]
        let isSimple =
            models.count <= 1 && parameters.count <= 1 && definition.variants.count <= 5
            && (definition.guardrails ?? []).count <= 3
        if !isSimple, let json = try? WireJSON.encodePretty(definition) {
            items.append(("json", String(decoding: json, as: UTF8.self)))
        }
        items += [("model", models.first ?? ""), ("parameter", parameters.first ?? "")]
        for (index, variant) in definition.variants.prefix(5).enumerated() {
            items += [
                ("variant-\(index)", variant.name), ("weight-\(index)", "\(variant.weight ?? 1)"),
                ("version-\(index)", models.first.flatMap { variant.models?[$0] }.map(String.init) ?? ""),
                ("value-\(index)", parameters.first.flatMap { variant.parameters?[$0] } ?? ""),
            ]
        }
        items += [
            ("goal-event", definition.goal.event), ("goal-kind", definition.goal.kind),
            ("goal-model", definition.goal.model ?? ""),
        ]
        if definition.goal.lowerIsBetter == true { items.append(("goal-lower", "yes")) }
        for (index, rail) in (definition.guardrails ?? []).prefix(3).enumerated() {
            items += [
                ("rail-event-\(index)", rail.metric.event), ("rail-kind-\(index)", rail.metric.kind),
                ("rail-margin-\(index)", NumberText.decimal((rail.margin ?? 0) * 100, 4)),
            ]
            if rail.metric.lowerIsBetter == true { items.append(("rail-lower-\(index)", "yes")) }
        }
        items += [
            ("share", Share.number(definition.share ?? 1)), ("audience", definition.audience ?? ""),
            ("layer", definition.layer ?? ""), ("planned", "\(definition.plannedExposures ?? 10_000)"),
            ("error", NumberText.decimal((definition.errorRate ?? 0.05) * 100, 4)),
        ]
        if definition.stopsAtWinner ?? true { items.append(("stops", "yes")) }
        return FormFields(items)
    }

    /// - Throws: `APIFailure` for a field that is not of its kind. The API checks everything else.
    static func definition(_ fields: FormFields) throws -> ExperimentBodies.Definition {
        if let json = fields.text("json") {
            do {
                return try WireJSON.decode(ExperimentBodies.Definition.self, from: Array(json.utf8))
            } catch {
                throw APIFailure(status: 400, message: "The JSON is not the definition of an experiment.")
            }
        }
        var definition = ExperimentBodies.Definition(
            name: fields["name"], variants: try variants(fields),
            goal: ExperimentBodies.Metric(
                event: fields["goal-event"], kind: fields.text("goal-kind") ?? "conversion",
                lowerIsBetter: fields.isSet("goal-lower") ? true : nil, model: fields.text("goal-model")))
        definition.note = fields.text("note")
        definition.audience = fields.text("audience")
        definition.layer = fields.text("layer")
        definition.share = try Share.read(fields.text("share") ?? "100", "The share of the devices")
        definition.guardrails = try guardrails(fields)
        definition.plannedExposures = try fields.number("planned", "The installations per variant")
        definition.errorRate = try fields.decimal("error", "The error rate").map { $0 / 100 }
        definition.stopsAtWinner = fields.isSet("stops")
        return definition
    }

    private static func variants(_ fields: FormFields) throws -> [ExperimentBodies.Variant] {
        try (0..<5).compactMap { index in
            guard let name = fields.text("variant-\(index)") else { return nil }
            var variant = ExperimentBodies.Variant(name: name)
            variant.weight = try fields.number("weight-\(index)", "The weight of '\(name)'")
            if let model = fields.text("model"),
                let version = try fields.number("version-\(index)", "The version of '\(name)'")
            {
                variant.models = [model: version]
            }
            if let parameter = fields.text("parameter") {
                variant.parameters = [parameter: fields.raw("value-\(index)") ?? ""]
            }
            return variant
        }
    }

    private static func guardrails(_ fields: FormFields) throws -> [ExperimentBodies.Guardrail]? {
        let found = try (0..<3).compactMap { index -> ExperimentBodies.Guardrail? in
            guard let event = fields.text("rail-event-\(index)") else { return nil }
            let margin = try fields.decimal("rail-margin-\(index)", "The margin of '\(event)'")
            return ExperimentBodies.Guardrail(
                metric: .init(
                    event: event, kind: fields.text("rail-kind-\(index)") ?? "conversion",
                    lowerIsBetter: fields.isSet("rail-lower-\(index)") ? true : nil),
                margin: margin.map { $0 / 100 })
        }
        return found.isEmpty ? nil : found
    }
}
