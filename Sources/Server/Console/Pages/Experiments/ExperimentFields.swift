import HearthCalls
import HearthWire

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
            // In the form, an empty cell is the usual value, a value has one line, and guardrails count all events.
            && !definition.variants.contains {
                ($0.parameters ?? [:]).values.contains { $0.isEmpty || $0.contains(where: \.isNewline) }
            }
            && !(definition.guardrails ?? []).contains { $0.metric.model != nil }
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
            ("share", SharePercent.number(definition.share ?? 1)), ("audience", definition.audience ?? ""),
            ("layer", definition.layer ?? ""), ("planned", "\(definition.plannedExposures ?? 10_000)"),
            ("error", NumberText.decimal((definition.errorRate ?? 0.05) * 100, 4)),
        ]
        if definition.stopsAtWinner ?? true { items.append(("stops", "yes")) }
        return FormFields(items)
    }

    /// - Parameter conditions: the expressions of the conditions that the form offers, by their names.
    /// - Throws: `APIFailure` for a field that is not of its kind, and for what was filled in and would be lost. The API
    ///   checks everything else.
    static func definition(
        _ fields: FormFields, conditions: [String: String]
    ) throws -> ExperimentBodies.Definition {
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
        definition.audience = try audience(fields, conditions)
        definition.layer = fields.text("layer")
        definition.share = try SharePercent.read(fields.text("share") ?? "100", "The share of the devices")
        definition.guardrails = try guardrails(fields)
        definition.plannedExposures = try fields.number("planned", "The installations per variant")
        definition.errorRate = try fields.decimal("error", "The error rate").map { $0 / 100 }
        definition.stopsAtWinner = fields.isSet("stops")
        return definition
    }

    private static func audience(_ fields: FormFields, _ conditions: [String: String]) throws -> String? {
        guard let name = fields.text("audience-condition") else { return fields.text("audience") }
        guard fields.text("audience") == nil else {
            throw APIFailure.field(
                "audience",
                "Choose a condition or write an expression, not both: empty this field, or choose none above.")
        }
        guard let expression = conditions[name] else {
            throw APIFailure.field(
                "audience-condition",
                "The template has no condition '\(name.prefix(300))' any more. Choose another one.")
        }
        return expression
    }

    private static func variants(_ fields: FormFields) throws -> [ExperimentBodies.Variant] {
        if let model = fields.text("model"), let shown = fields.text("versions-of"), shown != model {
            throw APIFailure.field(
                "model", "You chose versions of '\(shown.prefix(300))'. Choose those of '\(model.prefix(300))' below.")
        }
        try checkColumn(
            fields, "version", of: "model", missing: "A variant has a version. Choose the model that it is of.",
            empty: "No variant has a version of this model. Give at least one a version, or choose no model.")
        try checkColumn(
            fields, "value", of: "parameter", missing: "A variant has a value. Choose the parameter that it is for.",
            empty: "No variant has a value of this parameter. Give at least one a value, or empty this field.")
        return try (0..<5).compactMap { index in
            guard let name = fields.text("variant-\(index)") else {
                guard !["weight", "version", "value"].contains(where: { fields.text("\($0)-\(index)") != nil }) else {
                    throw APIFailure.field(
                        "variant-\(index)", "Variant \(index + 1) has no name. Name it, or empty its row.")
                }
                return nil
            }
            var variant = ExperimentBodies.Variant(name: name)
            variant.weight = try fields.number("weight-\(index)", "The weight of '\(name)'")
            if let model = fields.text("model"),
                let version = try fields.number("version-\(index)", "The version of '\(name)'")
            {
                variant.models = [model: version]
            }
            if let parameter = fields.text("parameter"), let value = fields.raw("value-\(index)"), !value.isEmpty {
                variant.parameters = [parameter: value]
            }
            return variant
        }
    }

    /// A column of the variants without what it is about, or the other way round.
    private static func checkColumn(
        _ fields: FormFields, _ column: String, of subject: String, missing: String, empty: String
    ) throws {
        let isUsed = (0..<5).contains { fields.raw("\(column)-\($0)").map { !$0.isEmpty } ?? false }
        guard isUsed != (fields.text(subject) != nil) else { return }
        throw APIFailure.field(subject, isUsed ? missing : empty)
    }

    private static func guardrails(_ fields: FormFields) throws -> [ExperimentBodies.Guardrail]? {
        let found = try (0..<3).compactMap { index -> ExperimentBodies.Guardrail? in
            guard let event = fields.text("rail-event-\(index)") else {
                guard fields.text("rail-margin-\(index)") == nil, !fields.isSet("rail-lower-\(index)") else {
                    throw APIFailure.field(
                        "rail-event-\(index)",
                        "Guardrail \(index + 1) has no event. Name the event, or empty the guardrail’s row.")
                }
                return nil
            }
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
