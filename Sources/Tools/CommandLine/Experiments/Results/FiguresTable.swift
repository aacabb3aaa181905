import Foundation
import HearthArguments
import HearthLocalCommands
import HearthWire

/// One metric of an experiment, a line per variant. Pure.
struct FiguresTable: CustomStringConvertible {
    private let figures: ExperimentBodies.Results.Figures

    init(_ figures: ExperimentBodies.Results.Figures) { self.figures = figures }

    var description: String { text(width: nil) }

    /// - Parameter width: of the terminal; nil shows all.
    func text(width: Int?) -> String {
        // How many there are stands with the exposures, too.
        var table = TextTable([
            .text("VARIANT", shrinks: true), .number("INSTALLATIONS", yields: 3),
            .number(isRate ? "RATE" : "MEAN"), .text("95% INTERVAL", yields: 1), "DIFFERENCE",
            .number("BEST", yields: 2), .number("P-VALUE"),
        ])
        for row in figures.rows {
            table.append([
                row.variant, String(row.count), row.count > 0 ? text(row.value) : "-", interval(row), difference(row),
                row.probabilityToBeBest.map { FigureText.percent($0, digits: 1) } ?? "-",
                row.pValue.map(FigureText.probability) ?? "-",
            ])
        }
        return table.text(width: width)
    }

    private var isRate: Bool { figures.metric.kind == "conversion" }

    private func text(_ value: Double) -> String {
        isRate ? FigureText.percent(value) : FigureText.number(value)
    }

    private func interval(_ row: ExperimentBodies.Results.Row) -> String {
        guard let bounds = row.credibleInterval, bounds.count == 2 else { return "too few data" }
        return "\(text(bounds[0])) to \(text(bounds[1]))"
    }

    /// From the control, and as a part of the control's value: `+0.70 points (+15.6%)`.
    private func difference(_ row: ExperimentBodies.Results.Row) -> String {
        guard let difference = row.difference, row.count > 0 else {
            return row.variant == figures.rows.first?.variant ? "control" : "-"
        }
        let amount = isRate ? String(format: "%+.2f points", difference * 100) : FigureText.signed(difference)
        let control = row.value - difference
        guard control != 0 else { return amount }
        return "\(amount) (\(FigureText.signedPercent(difference / abs(control))))"
    }
}
