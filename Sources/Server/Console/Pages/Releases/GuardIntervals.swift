import HearthCalls
import HearthWire

/// Where the true rates of a guard are, with the version and with the baseline, and the rate that is tolerated. Each guard has a scale of
/// its own, because crashes are rarer than other failures.
struct GuardIntervals {
    private let guards: [ReleaseBodies.GuardState]

    private static let (width, rowHeight, left, right) = (560.0, 44.0, 130.0, 60.0)

    init(_ guards: [ReleaseBodies.GuardState]) { self.guards = guards }

    /// A guard's row.
    private struct Row {
        var name: String
        var version: [Double]
        var baseline: [Double]
        var limit: Double
        var high: Double
    }

    private var rows: [Row] {
        guards.compactMap { item in
            guard let intervals = item.rateIntervals, let limit = item.limit, (item.devices?.version ?? 0) > 0 else {
                return nil
            }
            let high = max(intervals.version.last ?? 0, intervals.below.last ?? 0, limit.harmful * 1.5)
            return Row(
                name: item.name, version: intervals.version, baseline: intervals.below, limit: limit.tolerated,
                high: min(high, 1))
        }
    }

    @MarkupBuilder
    var markup: Markup {
        if !rows.isEmpty {
            chart
            p(.class("faint")) {
                """
                The upper line of each guard is the interval with the version, the lower line that with the baseline; the \
                mark is the rate that is tolerated. The lines show how much is known. The guards themselves compare the \
                devices of each ten minutes, and stop the release when that proves harm.
                """
            }
            DataTable(
                "Intervals of the guards",
                ["Guard", "With the version", "With the baseline", "Tolerated", "Chance to stop a sound version"]
            ).rows(guards.filter { $0.limit != nil }) { item in
                [
                    .text(GuardView.name(item.name)),
                    .text(
                        Self.text(item.rateIntervals?.version) ?? item.ratioInterval.map {
                            "× \(NumberText.decimal($0[0], 2)) to \(NumberText.decimal($0[1], 2))"
                        } ?? "–"),
                    .text(Self.text(item.rateIntervals?.below) ?? "–"),
                    .text(
                        item.limit.map {
                            item.name == "run-time"
                                ? "× \(NumberText.decimal($0.tolerated, 2))" : NumberText.percent($0.tolerated, 3)
                        } ?? "–"),
                    .text(item.limit.map { NumberText.percent($0.errorRate, 2) } ?? "–"),
                ]
            }
        }
    }

    private static func text(_ interval: [Double]?) -> String? {
        guard let interval, interval.count == 2 else { return nil }
        return "\(NumberText.percent(interval[0], 3)) to \(NumberText.percent(interval[1], 3))"
    }

    private var chart: Markup {
        let rows = rows
        return SVG.chart(
            width: Self.width, height: Double(rows.count) * Self.rowHeight, title: "Failing devices by guard",
            description: rows.map {
                "\(GuardView.name($0.name)): \(Self.text($0.version) ?? "") with the version, \(Self.text($0.baseline) ?? "") with the baseline"
            }.joined(separator: "; ")
        ) {
            rows.enumerated().map { index, row in
                let top = Double(index) * Self.rowHeight
                func x(_ value: Double) -> Double {
                    Self.left + min(value / row.high, 1) * (Self.width - Self.left - Self.right)
                }
                func line(_ interval: [Double], _ y: Double, _ kind: String) -> Markup {
                    SVG.line(
                        x1: x(interval.first ?? 0), y1: y, x2: max(x(interval.last ?? 0), x(interval.first ?? 0) + 2),
                        y2: y,
                        .class("line \(kind)"), Attribute("stroke-width", "5"))
                }
                return Markup.joined {
                    SVG.text(x: 0, y: top + 22, row.name)
                    SVG.line(x1: Self.left, y1: top + 34, x2: Self.width - Self.right, y2: top + 34, .class("axis"))
                    line(row.version, top + 12, "series-2")
                    line(row.baseline, top + 24, "series-5")
                    SVG.line(x1: x(row.limit), y1: top + 4, x2: x(row.limit), y2: top + 34, .class("line series-1"))
                    SVG.text(x: Self.width - Self.right + 6, y: top + 22, NumberText.percent(row.high, 2))
                }
            }
        }
    }
}
