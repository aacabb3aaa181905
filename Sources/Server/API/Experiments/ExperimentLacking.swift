import Foundation
import HearthExperiments
import HearthWire

/// What an experiment lacks for a verdict, and how much, for people to read.
enum ExperimentLacking {
    /// - Parameter isGoal: whether a difference that is too small is named too. A guardrail's should be small.
    static func list(
        _ metric: Metric, _ rows: [ExperimentReport.Row], errorRate: Double, isGoal: Bool
    ) -> [ExperimentBodies.Results.Lacking]? {
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

    private static func lacking(
        _ shortage: BurnIn.Shortage, _ metric: Metric, control: String, variant: String
    ) -> ExperimentBodies.Results.Lacking {
        let what =
            switch shortage.kind {
            case .installations:
                "\(shortage.needed) installations" + (metric.kind == .average ? " with a value" : "")
            case .nonzeroTotals: "\(shortage.needed) installations whose total is not 0"
            case .conversions: "\(shortage.needed) installations that converted"
            case .nonConversions: "\(shortage.needed) installations that did not convert"
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
        let points = (abs(difference) * 10_000).rounded()
        // The text must not say that what is there would be enough.
        let enough = max((needed * 10_000).rounded(.up), points + 1)
        let text =
            metric.kind == .conversion
            ? String(
                format: "differs by %.2f points; after so many installations, %.2f points would be proven",
                points / 100, enough / 100)
            : String(
                format: "differs by %.4g; after so many installations, %.4g would be proven", abs(difference), needed)
        return ExperimentBodies.Results.Lacking(
            kind: "difference", variant: row.variant, needed: needed, found: abs(difference),
            text: "'\(row.variant)' \(text).")
    }
}
