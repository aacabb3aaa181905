import HearthCalls
import HearthWire

/// What an experiment has found: first whether its groups are sound, then the goal, then the guardrails.
struct ResultsView {
    private let results: ExperimentBodies.Results
    private let history: ExperimentBodies.History?

    init(_ results: ExperimentBodies.Results, _ history: ExperimentBodies.History?) {
        self.results = results
        self.history = history
    }

    private var all: Int { results.exposures.map(\.installations).reduce(0, +) }

    @MarkupBuilder
    var markup: Markup {
        if all == 0 { nothing } else { found }
    }

    /// Rates and tests of nothing would look like results.
    private var nothing: Markup {
        div(.class("empty")) {
            p {
                strong {
                    results.experiment.state == "running" ? "No reports yet." : "No installation has reported anything."
                }
            }
            if results.experiment.state == "running" {
                p {
                    "An installation counts once its app has got its variant and has told the server. Open an app with Hearth’s "
                    "library that asks for the model or fetches the parameters of the variants, and that logs the event "
                    code { results.goal.metric.event }
                    ". If nothing comes: do devices meet the experiment’s condition? What one device gets, and why, stands on the "
                    "page of the model’s devices, or in Remote Config at “As this device”."
                }
            }
            counted
            leftOut
        }
    }

    @MarkupBuilder
    private var found: Markup {
        p(.class(results.verdict == "harm" ? "problem" : results.verdict == "winner" ? "notice" : "card")) {
            strong { results.summary }
        }
        sampleRatio
        metric("Goal: \(ExperimentText.metric(results.goal.metric))", results.goal)
        if let history, history.points.count > 1 { HistoryChart(history).markup }
        results.guardrails.enumerated().map { index, found in
            metric("Guardrail: \(ExperimentText.metric(found.metric))\(margin(of: index))", found)
        }
        details {
            summary { "How this is computed" }
            p { results.method }
        }
    }

    private var sampleRatio: Markup {
        section {
            h2 { "Groups" }
            p {
                results.hasSampleRatioMismatch
                    ? Badge.mark("sizes do not fit the weights", .bad) : Badge.mark("sizes fit the weights", .good)
                " p = \(NumberText.decimal(results.sampleRatioPValue, 4))"
            }
            DataTable("Installations of each variant", ["Variant", "Installations", "Share"]).rows(results.exposures) {
                item in
                [
                    .text(item.variant), .text(NumberText.count(item.installations)),
                    .text(all > 0 ? NumberText.percent(Double(item.installations) / Double(all), 2) : "–"),
                ]
            }
            counted
            leftOut
        }
    }

    @MarkupBuilder
    private var counted: Markup {
        if let time = results.countTime {
            p(.class("faint")) {
                "Counted "; Times.moment(time); "."
            }
        }
    }

    @MarkupBuilder
    private var leftOut: Markup {
        if let out = results.leftOut {
            p(.class("faint")) {
                "Left out: \(NumberText.count(out.installations, "pinned installation"))"
                    + (out.tags.isEmpty
                        ? "."
                        : ", and devices with the \(NumberText.noun(out.tags.count, "tag")) \(out.tags.joined(separator: ", ")).")
            }
        }
    }

    /// A guardrail's p-value is about any difference, and the verdict about one that is larger than the margin.
    private func margin(of index: Int) -> String {
        let guardrails = results.experiment.definition.guardrails ?? []
        guard guardrails.indices.contains(index), let margin = guardrails[index].margin, margin > 0 else { return "" }
        return ", at most \(NumberText.percent(margin)) worse than the control"
    }

    private func metric(_ title: String, _ found: ExperimentBodies.Results.MetricResults) -> Markup {
        section {
            h2 { title }
            IntervalChart(found).markup
            lacking(found)
            // Only what belongs to the verdict. An interval of a single variant looks like a comparison and is none.
            DataTable(
                title, ["Variant", "Installations", "Value", "Difference", "Always-valid interval", "Best with", "p"]
            ).rows(found.rows) { row in
                [
                    .text(row.variant), .text(NumberText.count(row.count)),
                    .text(ExperimentText.value(row.value, found.metric)),
                    .text(row.difference.map { ExperimentText.difference($0, found.metric) } ?? "control"),
                    .text(interval(row.differenceInterval) { ExperimentText.difference($0, found.metric) }),
                    .text(row.probabilityToBeBest.map { NumberText.percent($0) } ?? "–"),
                    .text(row.pValue.map { NumberText.decimal($0, 4) } ?? "–"),
                ]
            }
        }
    }

    @MarkupBuilder
    private func lacking(_ found: ExperimentBodies.Results.MetricResults) -> Markup {
        if let lacking = found.lacking, !lacking.isEmpty {
            p { "What a verdict still needs:" }
            ul { lacking.map { item in li { item.text } } }
        }
    }

    private func interval(_ ends: [Double]?, _ text: (Double) -> String) -> String {
        guard let ends, ends.count == 2 else { return "–" }
        return "\(text(ends[0])) to \(text(ends[1]))"
    }
}

/// The differences from the control with their always-valid intervals, beside each other (a forest plot). The table below it
/// has the same numbers.
struct IntervalChart {
    private let found: ExperimentBodies.Results.MetricResults

    private static let (width, rowHeight, left) = (520.0, 28.0, 130.0)

    init(_ found: ExperimentBodies.Results.MetricResults) { self.found = found }

    private var rows: [(name: String, middle: Double, low: Double, high: Double)] {
        found.rows.compactMap { row in
            guard let middle = row.difference, let ends = row.differenceInterval, ends.count == 2 else { return nil }
            return (row.variant, middle, ends[0], ends[1])
        }
    }

    @MarkupBuilder
    var markup: Markup {
        if !rows.isEmpty { chart }
    }

    private var chart: Markup {
        let rows = rows
        let lowest = min(0, rows.map(\.low).min() ?? 0)
        let highest = max(0, rows.map(\.high).max() ?? 0)
        let span = max(highest - lowest, .leastNormalMagnitude)
        func place(_ value: Double) -> Double {
            Self.left + 10 + (value - lowest) / span * (Self.width - Self.left - 20)
        }
        let height = Double(rows.count) * Self.rowHeight + 24
        return SVG.chart(
            width: Self.width, height: height, title: "Differences from the control in \(found.metric.event)",
            description: rows.map {
                """
                \($0.name): \(ExperimentText.difference($0.middle, found.metric)), between \
                \(ExperimentText.difference($0.low, found.metric)) and \
                \(ExperimentText.difference($0.high, found.metric))
                """
            }.joined(separator: "; ")
        ) {
            SVG.line(x1: place(0), y1: 0, x2: place(0), y2: height - 20, .class("axis"))
            SVG.text(x: place(0), y: height - 6, "control", Attribute("text-anchor", "middle"))
            rows.enumerated().map { index, row in
                let y = Double(index) * Self.rowHeight + 14
                return Markup.joined {
                    SVG.text(x: 0, y: y + 4, row.name.count > 16 ? "\(row.name.prefix(15))…" : row.name)
                    SVG.line(
                        x1: place(row.low), y1: y, x2: place(row.high), y2: y, .class("line series-\(index % 4 + 1)"))
                    SVG.circle(x: place(row.middle), y: y, radius: 4, .class("fill-\(index % 4 + 1)"))
                }
            }
        }
    }
}
