import HearthArguments
import HearthCalls
import HearthLocalCommands
import HearthWire

/// An experiment as text.
struct ExperimentSummary {
    private let experiment: ExperimentBodies.Experiment
    private var definition: ExperimentBodies.Definition { experiment.definition }

    init(_ experiment: ExperimentBodies.Experiment) { self.experiment = experiment }

    static var table: TextTable {
        TextTable([
            "NAME", "STATE", .text("VARIES", dropOrder: 1, isTruncatable: true), .number("SHARE"),
            .text("GOAL", dropOrder: 2, isTruncatable: true), .text("STARTED (UTC)", dropOrder: 3),
            .text("ENDED (UTC)", dropOrder: 5), .text("WINNER", dropOrder: 4),
        ])
    }

    var row: [String] {
        [
            definition.name, stateText, subjects.joined(separator: ", "), share, MetricText.text(definition.goal),
            TimeArgument.short(experiment.startTime), TimeArgument.short(experiment.endTime), experiment.winner ?? "",
        ]
    }

    /// `'colours': 20% of all devices, parameter colour, variants control and variant-1`.
    var sentence: String {
        let names = definition.variants.map(\.name.printable).joined(separator: ", ")
        return
            "'\(definition.name.printable)': \(share) of \(audience), \(subjects.joined(separator: ", ")), variants \(names)"
    }

    /// `Running since 2026-11-21 09:00 UTC`.
    var stateLine: String {
        let time = experiment.endTime ?? experiment.startTime
        let reason = experiment.endReason.map { ": \($0.printable)" } ?? ""
        return stateText.prefix(1).uppercased() + stateText.dropFirst()
            + (time.map { " since \(TimeArgument.short($0)) UTC" } ?? "") + reason
    }

    var lines: [String] {
        var lines = ["name:       \(definition.name.printable)", "state:      \(stateText)"]
        if let note = definition.note, !note.isEmpty { lines.append("note:       \(note.printable)") }
        lines += Self.block("variants:", definition.variants.map(variantText))
        lines.append("audience:   \(audience)")
        lines.append("share:      \(share)")
        if let layer = definition.layer { lines.append("layer:      \(layer.printable)") }
        lines.append("goal:       \(MetricText.text(definition.goal))")
        lines += Self.block("guardrails:", (definition.guardrails ?? []).map(MetricText.text))
        lines.append("test:       \(test)")
        lines.append(
            "made:       \(TimeArgument.short(experiment.createTime)) UTC by \(experiment.createdBy.printable)")
        if let time = experiment.startTime { lines.append("started:    \(TimeArgument.short(time)) UTC") }
        if let time = experiment.endTime {
            lines.append(
                "ended:      \(TimeArgument.short(time)) UTC\(experiment.endReason.map { ": \($0.printable)" } ?? "")")
        }
        if let winner = experiment.winner { lines.append("winner:     \(winner.printable)") }
        return lines
    }

    /// The variant's changes: `colour = "red"`, `flowers version 3`.
    func changes(of variant: String) -> String? {
        definition.variants.first { $0.name == variant }.map(Self.values)
    }

    private var stateText: String { experiment.state == "rolledOut" ? "rolled out" : experiment.state.printable }

    private var share: String { Share(fraction: definition.share ?? 1).text }

    /// `all devices`, `devices with percent <= 10`.
    var audience: String {
        let text = definition.audience ?? ""
        return text.isEmpty ? "all devices" : "devices with \(text.printable)"
    }

    /// The parameters and models that vary.
    private var subjects: [String] {
        let parameters = Set(definition.variants.flatMap { ($0.parameters ?? [:]).keys })
        let models = Set(definition.variants.flatMap { ($0.models ?? [:]).keys })
        return parameters.sorted().map { "parameter \($0.printable)" } + models.sorted().map { "model \($0.printable)" }
    }

    private var test: String {
        let rate = Share(fraction: definition.errorRate ?? 0.05).text
        let planned = definition.plannedExposures ?? 10_000
        let stop = definition.stopsAtWinner ?? true ? "ends at a winner or at harm" : "ends at harm only"
        return "error rate \(rate), \(planned) installations planned for each variant, \(stop)"
    }

    private func variantText(_ variant: ExperimentBodies.Variant) -> String {
        let total = definition.variants.reduce(0.0) { $0 + Double($1.weight ?? 1) }
        let part = Share(fraction: total > 0 ? Double(variant.weight ?? 1) / total : 0).text
        return "\(variant.name.printable) (\(part)): \(Self.values(of: variant))"
    }

    private static func values(of variant: ExperimentBodies.Variant) -> String {
        let parameters = (variant.parameters ?? [:]).sorted { $0.key < $1.key }.map {
            "\($0.key.printable) = \(ConfigValueText.text(.text($0.value)))"
        }
        let models = (variant.models ?? [:]).sorted { $0.key < $1.key }.map {
            "\($0.key.printable) version \($0.value)"
        }
        let all = parameters + models
        return all.isEmpty ? "as usual" : all.joined(separator: ", ")
    }

    /// The first line behind the label, the others below it.
    private static func block(_ label: String, _ texts: [String]) -> [String] {
        texts.enumerated().map { index, text in
            (index == 0 ? label : "").padding(toLength: 12) + text
        }
    }
}

extension String {
    fileprivate func padding(toLength length: Int) -> String {
        self + String(repeating: " ", count: max(0, length - count))
    }
}

/// A metric on one line: `purchase (conversion)`, `latency (average, lower is better) of model flowers`.
enum MetricText {
    static func text(_ metric: ExperimentBodies.Metric) -> String {
        let better = metric.lowerIsBetter == true ? ", lower is better" : ""
        let model = metric.model.map { " of model \($0.printable)" } ?? ""
        return "\(metric.event.printable) (\(metric.kind.printable)\(better))\(model)"
    }

    static func text(_ guardrail: ExperimentBodies.Guardrail) -> String {
        let margin = Share(fraction: guardrail.margin ?? 0)
        let limit = margin > .none ? "at most \(margin.text) worse" : "no worse"
        return "\(text(guardrail.metric)), \(limit) than the control"
    }
}

/// How commands report an experiment that they made or changed.
struct ExperimentOutput {
    let admin: AdminOptions

    func print(_ experiment: ExperimentBodies.Experiment, _ verb: String) throws {
        if admin.json { return try Output.json(experiment) }
        Output.success("\(verb) \(ExperimentSummary(experiment).sentence).")
        for warning in experiment.warnings ?? [] { Output.note("warning: \(warning.printable)") }
    }
}
