import HearthArguments
import HearthCalls
import HearthLocalCommands
import HearthWire

/// The history of an experiment as text. Pure.
enum HistoryText {
    /// - Parameter width: of the terminal; nil shows all, as for a file.
    static func text(_ history: ExperimentBodies.History, width: Int?) -> String {
        guard !history.points.isEmpty else {
            return
                "'\(history.experiment.printable)' has no history yet: no installation was exposed, or it was not analysed."
        }
        let isRate = history.goal.kind == "conversion"
        func text(_ value: Double) -> String {
            isRate ? ResultNumberText.percent(value) : ResultNumberText.number(value)
        }
        var table = TextTable([
            "TIME (UTC)", .text("VARIANT", isTruncatable: true), .number("EXPOSED", dropOrder: 2),
            .number(isRate ? "RATE" : "MEAN"), .number("DIFFERENCE"), "INTERVAL", .number("P-VALUE", dropOrder: 1),
        ])
        for point in history.points {
            for one in point.variants {
                let bounds = one.differenceInterval ?? []
                table.append([
                    TimeArgument.short(point.time), one.variant, String(one.exposures), text(one.value),
                    one.difference.map(text) ?? "-",
                    bounds.count == 2 ? "\(text(bounds[0])) to \(text(bounds[1]))" : "-",
                    one.pValue.map(ResultNumberText.probability) ?? "-",
                ])
            }
        }
        return "Goal: \(MetricText.text(history.goal))\n\(table.text(width: width))"
    }
}
