import Foundation
import HearthArguments
import HearthWire
import TensorFlowLite

/// The result of a benchmark as text.
enum BenchText {
    /// The maximum number of operators in the text.
    private static let maximumOperators = 10

    static func lines(_ result: BenchResult, _ setting: BenchSetting) -> [String] {
        let threads = setting.threads == 1 ? "1 thread" : "\(setting.threads) threads"
        var lines = ["model:      \(setting.model.printable) (\(ByteCount.text(UInt64(result.modelByteCount))))"]
        lines.append("engine:     LiteRT \(Runtime.version), \(setting.kernels.rawValue) kernels, \(threads)")
        if let signature = setting.signature { lines.append("signature:  \(signature.printable)") }
        lines += result.inputs.map { "input:      \($0.name.printable) \($0.type) \($0.shape)" }
        lines.append("load:       \(load(result.load))")
        if let memory = result.memory {
            lines.append(
                "memory:     \(ByteCount.text(memory.peak)) at the peak; loading raised it by "
                    + ByteCount.text(memory.loadGrowth))
        }
        lines.append("first run:  \(result.firstRun.text)")
        lines.append("warm-up:    \(runs(result.warmUpRuns))")
        lines.append("measured:   \(runs(result.latency.count))\(setting.isRunCountGiven ? "" : choice)")
        lines += latency(result.latency)
        if let profile = result.profile { lines += operators(profile) }
        return lines
    }

    private static let choice =
        " (chosen for about \(RunPlan.measuringTime.components.seconds) s, within "
        + "\(RunPlan.minimumRuns) to \(RunPlan.maximumRuns))"

    private static func runs(_ count: Int) -> String { count == 1 ? "1 run" : "\(count) runs" }

    private static func load(_ times: BenchLoader.Times) -> String {
        """
        \(times.total.text) (open \(times.open.text), compile \(times.compile.text), \
        allocate \(times.allocate.text))
        """
    }

    /// All in one unit, so that they are easy to compare.
    private static func latency(_ latency: LatencySummary) -> [String] {
        let unit = DurationUnit(fitting: latency.median)
        let rows = [
            ("min", latency.minimum), ("median", latency.median), ("p90", latency.p90), ("p99", latency.p99),
            ("max", latency.maximum), ("mean", latency.mean),
        ].map { (label: $0 + ":", text: unit.text($1)) }
        let width = rows.map(\.text.count).max() ?? 0
        return rows.map { row in
            "  " + row.label.padding(toLength: 10, withPad: " ", startingAt: 0)
                + String(repeating: " ", count: width - row.text.count) + row.text
        }
    }

    /// Totals in one unit and means in one, so that they are easy to compare.
    private static func operators(_ profile: BenchProfile) -> [String] {
        guard let slowest = profile.operators.first else { return ["", "The engine measured no operator."] }
        let (totalUnit, meanUnit) = (DurationUnit(fitting: slowest.total), DurationUnit(fitting: slowest.mean))
        var table = TextTable([
            .number("NODE"), "OPERATOR", "RUN BY", .number("SHARE"), .number("CALLS"), .number("TOTAL"),
            .number("MEAN"),
        ])
        for row in profile.operators.prefix(maximumOperators) {
            table.append([
                String(row.node), row.name, row.isDelegated ? "XNNPACK" : "engine",
                String(format: "%.1f %%", profile.share(of: row) * 100), String(row.calls),
                totalUnit.text(row.total), meanUnit.text(row.mean),
            ])
        }
        let count = profile.operators.count
        let which = count > maximumOperators ? "The slowest \(maximumOperators) of \(count) operators" : "The operators"
        return ["", "\(which), in \(runs(profile.runs)) of their own:", table.description]
    }
}
