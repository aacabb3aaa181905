import Foundation
import HearthCalls
import HearthWire

/// How the difference of each variant and its always-valid interval moved over time.
struct HistoryChart {
    private let history: ExperimentBodies.History

    private static let (width, height, left, bottom) = (560.0, 220.0, 70.0, 24.0)

    init(_ history: ExperimentBodies.History) { self.history = history }

    /// One variant over time; seconds since the first point.
    private struct Series {
        var name: String
        var points: [(seconds: Double, middle: Double, low: Double, high: Double)]
    }

    private var series: [Series] {
        let start = history.points.first.flatMap { Timestamp(rfc3339: $0.time) }?.microseconds ?? 0
        let names = history.points.last?.variants.filter { $0.difference != nil }.map(\.variant) ?? []
        return names.map { name in
            Series(
                name: name,
                points: history.points.compactMap { point in
                    guard let time = Timestamp(rfc3339: point.time),
                        let variant = point.variants.first(where: { $0.variant == name }),
                        let middle = variant.difference, let ends = variant.differenceInterval, ends.count == 2
                    else { return nil }
                    return (Double(time.microseconds - start) / 1e6, middle, ends[0], ends[1])
                })
        }.filter { $0.points.count > 1 }
    }

    @MarkupBuilder
    var markup: Markup {
        if !series.isEmpty {
            section {
                h3 { "Over time" }
                chart
                p(.class("faint")) {
                    """
                    The lines are the differences from the control; the pale bands are their always-valid intervals. \
                    A variant is better or worse when its band leaves zero. Points from before an upgrade of the \
                    server are of the rule of their time.
                    """
                }
                details {
                    summary { "The numbers of the chart" }
                    DataTable("Differences over time", ["When"] + series.map(\.name)).rows(
                        Array(history.points.reversed())
                    ) { point in
                        [Times.moment(point.time)] + series.map { line in cell(point, line.name) }
                    }
                }
            }
        }
    }

    private func cell(_ point: ExperimentBodies.History.Point, _ name: String) -> Markup {
        guard let variant = point.variants.first(where: { $0.variant == name }), let middle = variant.difference else {
            return .text("–")
        }
        let ends = variant.differenceInterval.map {
            " (\(ExperimentText.difference($0[0], history.goal)) to \(ExperimentText.difference($0[1], history.goal)))"
        }
        return .text(ExperimentText.difference(middle, history.goal) + (ends ?? ""))
    }

    private var chart: Markup {
        let series = series
        let all = series.flatMap(\.points)
        // The first intervals are so wide that the later ones would be a line: what counts is the last half.
        let late = series.flatMap { $0.points.suffix(max(2, $0.points.count / 2)) }
        let low = min(0, late.map(\.low).min() ?? 0)
        let high = max(0, late.map(\.high).max() ?? 0)
        let (span, last) = (max(high - low, .leastNormalMagnitude), max(1, all.map(\.seconds).max() ?? 1))
        func x(_ seconds: Double) -> Double { Self.left + seconds / last * (Self.width - Self.left - 8) }
        func y(_ value: Double) -> Double {
            (Self.height - Self.bottom) * (1 - (min(max(value, low), high) - low) / span) + 4
        }
        return SVG.chart(
            width: Self.width, height: Self.height,
            title: "Difference from the control in \(history.goal.event) over time",
            description: series.compactMap { line in
                line.points.last.map { "\(line.name) is now at \(ExperimentText.difference($0.middle, history.goal))" }
            }.joined(separator: "; ")
        ) {
            SVG.line(x1: Self.left, y1: y(0), x2: Self.width, y2: y(0), .class("axis"))
            SVG.text(x: 0, y: y(0) + 4, "0")
            SVG.text(x: 0, y: 14, ExperimentText.difference(high, history.goal))
            SVG.text(x: 0, y: Self.height - Self.bottom, ExperimentText.difference(low, history.goal))
            series.enumerated().map { index, line in
                let number = index % 4 + 1
                let band =
                    line.points.map { (x($0.seconds), y($0.high)) }
                    + line.points.reversed().map { (x($0.seconds), y($0.low)) }
                return Markup.joined {
                    SVG.path(band, .class("band fill-\(number)"))
                    SVG.path(line.points.map { (x($0.seconds), y($0.middle)) }, .class("line series-\(number)"))
                    if let end = line.points.last {
                        SVG.text(x: Self.width - 4, y: y(end.middle) - 6, line.name, Attribute("text-anchor", "end"))
                    }
                }
            }
        }
    }
}
