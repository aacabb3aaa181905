import HearthLocalCommands
import HearthWire

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
