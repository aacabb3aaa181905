import Foundation
import HearthCalls
import HearthExperiments

/// What an experiment lacks for a verdict, and how much, for people to read.
enum ExperimentLacking {
    /// - Parameter isGoal: whether a difference that is too small is named too. A guardrail's should be small.
    static func list(
        _ report: ExperimentReport, _ metric: Metric, _ rows: [ExperimentReport.Row], errorRate: Double, isGoal: Bool
    ) -> [ExperimentBodies.Results.Lacking]? {
        // More data help nobody then.
        if report.hasSampleRatioMismatch { return isGoal ? [cause(report)] : nil }
        // Beside a winner it would look as if there was none.
        if isGoal, case .winner = report.verdict { return nil }
        var all: [ExperimentBodies.Results.Lacking] = []
        for row in rows.dropFirst() {
            for shortage in row.shortages {
                let lacking = lacking(shortage, metric, control: rows[0].variant, variant: row.variant)
                // The control lacks the same in each comparison.
                if !all.contains(lacking) { all.append(lacking) }
            }
            if isGoal, let lacking = tooSmall(row, metric, errorRate: errorRate) { all.append(lacking) }
        }
        return all.isEmpty ? nil : all
    }

    private static func cause(_ report: ExperimentReport) -> ExperimentBodies.Results.Lacking {
        ExperimentBodies.Results.Lacking(
            kind: "sampleRatio", variant: report.goal[0].variant, needed: SampleRatioTest.threshold,
            found: report.sampleRatioPValue, text: "Find the cause of the group sizes.")
    }

    private static func lacking(
        _ shortage: BurnIn.Shortage, _ metric: Metric, control: String, variant: String
    ) -> ExperimentBodies.Results.Lacking {
        if shortage.kind == .expectedNonzeroTotals {
            return ExperimentBodies.Results.Lacking(
                kind: shortage.kind.rawValue, variant: variant, needed: Double(shortage.needed),
                found: Double(shortage.found),
                text: "Instead, '\(control)' and '\(variant)' may together have so many that "
                    + "\(shortage.needed) are expected in the smaller one; now \(shortage.found) are.")
        }
        let what =
            switch shortage.kind {
            case .installations:
                "\(shortage.needed) installations" + (metric.kind == .average ? " with a value" : "")
            case .nonzeroTotals, .expectedNonzeroTotals: "\(shortage.needed) installations whose total is not 0"
            case .conversions: "\(shortage.needed) installations with '\(metric.event)'"
            case .nonConversions: "\(shortage.needed) installations without '\(metric.event)'"
            }
        let who = shortage.sample.map { $0 == 0 ? control : variant }
        let text =
            who.map { "'\($0)' needs \(what); it has \(shortage.found)." }
            ?? "'\(control)' and '\(variant)' together need \(what); they have \(shortage.found)."
        return ExperimentBodies.Results.Lacking(
            kind: shortage.kind.rawValue, variant: who ?? variant, needed: Double(shortage.needed),
            found: Double(shortage.found), text: text)
    }

    /// Nil if the difference is proven, or cannot be tested yet.
    private static func tooSmall(
        _ row: ExperimentReport.Row, _ metric: Metric, errorRate: Double
    ) -> ExperimentBodies.Results.Lacking? {
        guard let needed = row.decisiveDifference, let difference = row.difference, let pValue = row.pValue,
            pValue > errorRate
        else { return nil }
        let isRate = metric.kind == .conversion
        let (differs, enough) = texts(abs(difference), needed, isRate: isRate)
        let text =
            isRate && needed > 1
            ? "differs by \(differs); no difference could be proven yet"
            : "differs by \(differs); with today's data, a difference of \(enough) would be proven"
        return ExperimentBodies.Results.Lacking(
            kind: "difference", variant: row.variant, needed: needed, found: abs(difference),
            text: "'\(row.variant)' \(text).")
    }

    /// A difference, and the larger one that would be enough. They must not look alike, as if what is there was enough.
    static func texts(_ difference: Double, _ needed: Double, isRate: Bool) -> (String, String) {
        let (difference, needed) = isRate ? (difference * 100, needed * 100) : (difference, needed)
        // Four digits that count of the smaller one.
        let least = difference > 0 ? min(difference, needed) : needed
        let digits = isRate ? 2 : max(0, min(15, 3 - Int(log10(max(least, 1e-12)).rounded(.down))))
        let scale = pow(10, Double(digits))
        let steps = (difference * scale).rounded()
        let enough = max((needed * scale).rounded(.up), steps + 1)
        func text(_ steps: Double) -> String {
            let text = String(format: "%.\(digits)f", steps / scale)
            if isRate { return "\(text) points" }
            guard digits > 0 else { return text }
            let short = String(text.reversed().drop { $0 == "0" }.reversed())
            return short.hasSuffix(".") ? String(short.dropLast()) : short
        }
        return (text(steps), text(enough))
    }
}
