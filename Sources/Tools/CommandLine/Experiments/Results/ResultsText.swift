import HearthArguments
import HearthLocalCommands
import HearthWire

/// What an experiment has found, for people to read. Pure.
struct ResultsText {
    private let results: ExperimentBodies.Results

    private let width: Int?

    /// - Parameter width: of the terminal; nil shows all, as for a file.
    init(_ results: ExperimentBodies.Results, width: Int? = nil) {
        self.results = results
        self.width = width
    }

    /// Paragraphs with empty lines between.
    var text: String {
        var parts = [heading, exposures]
        if results.hasSampleRatioMismatch { parts.append(warning) }
        parts.append("Goal: \(MetricText.text(results.goal.metric))\n\(FiguresTable(results.goal).text(width: width))")
        for figures in results.guardrails {
            parts.append("Guardrail: \(MetricText.text(figures.metric))\n\(FiguresTable(figures).text(width: width))")
        }
        parts.append("Verdict: \(results.summary.printable)")
        parts.append("Method: \(results.method.printable)")
        return parts.joined(separator: "\n\n")
    }

    private var heading: String {
        let summary = ExperimentSummary(results.experiment)
        return "Experiment \(summary.sentence).\n\(summary.standing)."
    }

    private var exposures: String {
        let weights = Dictionary(
            results.experiment.definition.variants.map { ($0.name, Double($0.weight ?? 1)) }, uniquingKeysWith: { $1 })
        let total = weights.values.reduce(0, +)
        let sum = results.exposures.reduce(0) { $0 + $1.installations }
        var table = TextTable([
            .text("VARIANT", shrinks: true), .number("EXPOSED"), .number("PART"), .number("PLANNED PART"),
        ])
        for row in results.exposures {
            let part = sum > 0 ? FigureText.percent(Double(row.installations) / Double(sum)) : "-"
            let planned = weights[row.variant].map { FigureText.percent(total > 0 ? $0 / total : 0) } ?? "-"
            table.append([row.variant, String(row.installations), part, planned])
        }
        return table.text(width: width)
    }

    /// Before the figures; what it means stands in the verdict.
    private var warning: String {
        let value = FigureText.probability(results.sampleRatioPValue)
        return "Warning: the parts are not those that were planned (p = \(value)). Do not trust the figures below."
    }
}
