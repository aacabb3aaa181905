import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthWire

/// Parts of experiments as text.
enum ExperimentText {
    static func state(_ item: ExperimentBodies.Experiment) -> Markup {
        switch item.state {
        case "running": Badge.mark("running", .good)
        case "draft": Badge.mark("draft", .neutral)
        case "rolledOut": Badge.mark("rolled out", .neutral)
        default: Badge.mark(item.state, .neutral)
        }
    }

    /// `purchase, total`.
    static func metric(_ metric: ExperimentBodies.Metric) -> String {
        let kind =
            switch metric.kind {
            case "conversion": "share of installations"
            case "total": "sum per installation"
            case "average": "mean of values"
            default: metric.kind
            }
        return "\(metric.event), \(kind)" + (metric.lowerIsBetter == true ? ", lower is better" : "")
            + (metric.model.map { ", of \($0)" } ?? "")
    }

    /// A value of a metric: a rate in per cent, or a number.
    static func value(_ value: Double, _ metric: ExperimentBodies.Metric) -> String {
        metric.kind == "conversion" ? NumberText.percent(value, 2) : NumberText.decimal(value, 3)
    }

    static func difference(_ value: Double, _ metric: ExperimentBodies.Metric) -> String {
        (value > 0 ? "+" : "")
            + (metric.kind == "conversion"
                ? "\(NumberText.decimal(value * 100, 2)) points" : NumberText.decimal(value, 3))
    }

    /// The difference of the variant that is best by its value.
    static func bestEffect(_ results: ExperimentBodies.Results) -> String? {
        let metric = results.goal.metric
        let rows = results.goal.rows.filter { $0.difference != nil }
        let best = rows.max { left, right in
            let (a, b) = (left.difference ?? 0, right.difference ?? 0)
            return metric.lowerIsBetter == true ? a > b : a < b
        }
        guard let best, let value = best.difference else { return nil }
        return "\(best.variant): \(difference(value, metric))"
    }
}
