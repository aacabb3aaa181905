import Foundation
import HearthArguments
import HearthCalls
import HearthLocalCommands
import HearthWire

/// The results of an experiment as text. Pure.
struct ResultsText {
    private let results: ExperimentBodies.Results

    private let width: Int?

    /// - Parameter width: of the terminal; nil shows all, as for a file.
    init(_ results: ExperimentBodies.Results, width: Int? = nil) {
        self.results = results
        self.width = width
    }

    /// Paragraphs with empty lines between them.
    var text: String {
        var parts = [heading, exposures]
        if results.hasSampleRatioMismatch { parts.append(warning) }
        let proof = results.goal.errorRate.map {
            "\nA difference is proven when its p-value is at most \(ResultNumberText.number($0))."
        }
        parts.append(section("Goal: \(MetricText.text(results.goal.metric))", results.goal) + (proof ?? ""))
        let guardrails = results.experiment.definition.guardrails ?? []
        for (index, found) in results.guardrails.enumerated() {
            // With its margin: its p-value is about any difference, and the verdict about one beyond the margin.
            let title =
                guardrails.indices.contains(index)
                ? MetricText.text(guardrails[index]) : MetricText.text(found.metric)
            parts.append(section("Guardrail: \(title)", found))
        }
        if let leftOut = results.leftOut { parts.append(Self.text(leftOut)) }
        parts.append("Verdict: \(results.summary.printable)")
        parts.append("Method: \(results.method.printable)")
        return parts.joined(separator: "\n\n")
    }

    /// The table, and below it what a verdict still needs.
    private func section(_ title: String, _ found: ExperimentBodies.Results.MetricResults) -> String {
        let lacking = (found.lacking ?? []).map { "\nStill needed: \($0.text.printable)" }
        return "\(title)\n\(MetricResultsTable(found).text(width: width))\(lacking.joined())"
    }

    /// `Left out: 2 pinned installations, and devices that send the pinned tag qa.`
    private static func text(_ leftOut: ExperimentBodies.Results.LeftOut) -> String {
        var parts: [String] = []
        if leftOut.installations > 0 {
            parts.append("\(leftOut.installations) pinned installation\(leftOut.installations == 1 ? "" : "s")")
        }
        if !leftOut.tags.isEmpty {
            let tags = leftOut.tags.map(\.printable).joined(separator: ", ")
            parts.append("devices that send the pinned tag\(leftOut.tags.count == 1 ? "" : "s") \(tags)")
        }
        return "Left out: \(parts.joined(separator: ", and "))."
    }

    private var heading: String {
        let summary = ExperimentSummary(results.experiment)
        return "Experiment \(summary.sentence).\n\(summary.stateLine)."
    }

    private var exposures: String {
        let weights = Dictionary(
            results.experiment.definition.variants.map { ($0.name, Double($0.weight ?? 1)) }, uniquingKeysWith: { $1 })
        let total = weights.values.reduce(0, +)
        let sum = results.exposures.reduce(0) { $0 + $1.installations }
        var table = TextTable([
            .text("VARIANT", isTruncatable: true), .number("EXPOSED"), .number("SHARE"), .number("EXPECTED SHARE"),
        ])
        for row in results.exposures {
            let share = sum > 0 ? ResultNumberText.percent(Double(row.installations) / Double(sum)) : "-"
            let expected = weights[row.variant].map { ResultNumberText.percent(total > 0 ? $0 / total : 0) } ?? "-"
            table.append([row.variant, String(row.installations), share, expected])
        }
        return table.text(width: width)
    }

    /// Before the results. The verdict says what it means.
    private var warning: String {
        let value = ResultNumberText.probability(results.sampleRatioPValue)
        return
            "Warning: sample ratio mismatch (SRM): the group sizes do not match the weights (p = \(value)). Do not trust the results below."
    }
}

/// The results of one metric, a line per variant. Pure.
struct MetricResultsTable: CustomStringConvertible {
    private let results: ExperimentBodies.Results.MetricResults

    init(_ results: ExperimentBodies.Results.MetricResults) { self.results = results }

    var description: String { text(width: nil) }

    /// - Parameter width: of the terminal; nil shows all.
    func text(width: Int?) -> String {
        // The exposures table has the numbers of installations, too.
        var table = TextTable([
            .text("VARIANT", isTruncatable: true), .number("INSTALLATIONS", dropOrder: 3),
            .number(isRate ? "RATE" : "MEAN"), "DIFFERENCE", .text("INTERVAL", dropOrder: 1),
            .number("BEST", dropOrder: 2), .number("P-VALUE"),
        ])
        for row in results.rows {
            table.append([
                row.variant, String(row.count), row.count > 0 ? text(row.value) : "-", difference(row), interval(row),
                row.probabilityToBeBest.map { ResultNumberText.percent($0, digits: 1) } ?? "-",
                row.pValue.map(ResultNumberText.probability) ?? "-",
            ])
        }
        return table.text(width: width)
    }

    private var isRate: Bool { results.metric.kind == "conversion" }

    private func text(_ value: Double) -> String {
        isRate ? ResultNumberText.percent(value) : ResultNumberText.number(value)
    }

    /// Of the difference, because it belongs to the p-value. An interval of a single variant looks like a comparison
    /// and is none.
    private func interval(_ row: ExperimentBodies.Results.Row) -> String {
        guard let bounds = row.differenceInterval, bounds.count == 2 else { return "-" }
        return "\(amount(bounds[0])) to \(amount(bounds[1]))"
    }

    private func amount(_ difference: Double) -> String {
        isRate ? String(format: "%+.2f", difference * 100) : ResultNumberText.signed(difference)
    }

    /// From the control, also as a fraction of the control's value: `+0.70 points (+15.6%)`.
    private func difference(_ row: ExperimentBodies.Results.Row) -> String {
        guard let difference = row.difference, row.count > 0 else {
            return row.variant == results.rows.first?.variant ? "control" : "-"
        }
        let amount = amount(difference) + (isRate ? " points" : "")
        let control = row.value - difference
        guard control != 0 else { return amount }
        return "\(amount) (\(ResultNumberText.signedPercent(difference / abs(control))))"
    }
}

/// The numbers of experiments as text.
enum ResultNumberText {
    /// `4.52%`.
    static func percent(_ part: Double, digits: Int = 2) -> String { String(format: "%.\(digits)f%%", part * 100) }

    /// `12.35`, with four significant digits; whole numbers in full, and `12346` for large ones.
    static func number(_ value: Double) -> String {
        let isWhole = abs(value) >= 1000 || value == value.rounded()
        return String(format: abs(value) < 1e15 && isWhole ? "%.0f" : "%.4g", value)
    }

    /// `+12.35`.
    static func signed(_ value: Double) -> String { (value < 0 ? "" : "+") + number(value) }

    /// `+15.6%`.
    static func signedPercent(_ part: Double) -> String { String(format: "%+.1f%%", part * 100) }

    /// `0.0321`, `<0.0001`.
    static func probability(_ value: Double) -> String {
        value < 0.0001 ? "<0.0001" : String(format: "%.4f", value)
    }
}
