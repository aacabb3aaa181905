import HearthCalls
import HearthCatalog
import HearthExperiments
import HearthStorage
import HearthWire

/// The results of an experiment, for people to read.
enum ExperimentResults {
    static func body(
        _ record: ExperimentRecord, _ experiment: Experiment, _ data: ExperimentData
    ) -> ExperimentBodies.Results {
        let analysis = ExperimentAnalysis(experiment)
        let report = analysis.report(data)
        // Nil if the counts of today say what was decided, or nothing was.
        let kept = EndVerdict(experiment).flatMap { $0.isThat(of: report.verdict) ? nil : $0 }
        func shown(
            _ metric: Metric, _ rows: [ExperimentReport.Row], _ errorRate: Double, isGoal: Bool
        ) -> ExperimentBodies.Results.MetricResults {
            var found = figures(metric, rows, errorRate)
            if experiment.state == .running {
                found.lacking = ExperimentLacking.list(report, metric, rows, errorRate: errorRate, isGoal: isGoal)
            }
            if let kept, kept.isDecisive {
                for index in found.rows.indices {
                    found.rows[index].differenceInterval = nil
                    found.rows[index].pValue = nil
                    found.rows[index].probabilityToBeBest = nil
                }
            }
            return found
        }
        let exposures = zip(experiment.variants, report.exposures).map {
            ExperimentBodies.Results.Exposures(variant: $0.name, installations: $1)
        }
        return ExperimentBodies.Results(
            experiment: ExperimentPresentation.body(record, experiment), exposures: exposures,
            goal: shown(experiment.goal, report.goal, analysis.goalErrorRate, isGoal: true),
            guardrails: zip(experiment.guardrails, report.guardrails).map {
                shown($0.metric, $1, analysis.guardrailErrorRate, isGoal: false)
            },
            sampleRatioPValue: report.sampleRatioPValue, hasSampleRatioMismatch: report.hasSampleRatioMismatch,
            verdict: kept?.kind ?? name(of: report.verdict),
            summary: kept?.summary(beside: report.verdict) ?? summary(report, experiment), method: method(experiment))
    }

    /// - Parameter pins: those of the project.
    static func leftOut(_ pins: [Pin]) -> ExperimentBodies.Results.LeftOut? {
        guard !pins.isEmpty else { return nil }
        var (installations, tags) = (Set<String>(), Set<String>())
        for pin in pins {
            switch pin.device {
            case .installation(let id): installations.insert(id)
            case .tag(let tag): tags.insert(tag)
            }
        }
        return ExperimentBodies.Results.LeftOut(installations: installations.count, tags: tags.sorted())
    }

    static func history(_ experiment: Experiment, _ points: [ExperimentPoint]) -> ExperimentBodies.History {
        ExperimentBodies.History(
            experiment: experiment.name, goal: ExperimentPresentation.metric(experiment.goal),
            errorRate: ExperimentAnalysis(experiment).goalErrorRate,
            points: points.map { point in
                ExperimentBodies.History.Point(
                    time: WireTime.text(point.atMicroseconds),
                    variants: zip(experiment.variants, point.variants).map { variant, found in
                        ExperimentBodies.History.Variant(
                            variant: variant.name, exposures: found.exposures, value: found.value,
                            difference: found.difference,
                            differenceInterval: found.low.flatMap { low in found.high.map { [low, $0] } },
                            pValue: found.pValue)
                    })
            })
    }

    private static func figures(
        _ metric: Metric, _ rows: [ExperimentReport.Row], _ errorRate: Double
    ) -> ExperimentBodies.Results.MetricResults {
        ExperimentBodies.Results.MetricResults(
            metric: ExperimentPresentation.metric(metric), errorRate: errorRate,
            rows: rows.map { row in
                ExperimentBodies.Results.Row(
                    variant: row.variant, count: row.count, value: row.value,
                    credibleInterval: row.credibleInterval.map { [$0.lowerBound, $0.upperBound] },
                    difference: row.difference,
                    differenceInterval: row.differenceInterval.map { [$0.lowerBound, $0.upperBound] },
                    probabilityToBeBest: row.probabilityToBeBest, pValue: row.pValue)
            })
    }

    static func name(of verdict: ExperimentVerdict) -> String {
        switch verdict {
        case .undecided: "goOn"
        case .winner: "winner"
        case .harm: "harm"
        }
    }

    private static func summary(_ report: ExperimentReport, _ experiment: Experiment) -> String {
        summary(
            report.verdict, hasExposures: report.exposures.contains { $0 > 0 },
            hasSampleRatioMismatch: report.hasSampleRatioMismatch, isTooEarly: report.isTooEarly, experiment)
    }

    /// - Parameter isTooEarly: whether there are too few data for any verdict about the goal.
    static func summary(
        _ verdict: ExperimentVerdict, hasExposures: Bool, hasSampleRatioMismatch: Bool, isTooEarly: Bool,
        _ experiment: Experiment
    ) -> String {
        guard hasExposures else {
            return experiment.state == .running
                ? "No reports yet: no installation has told that it takes part." : "No installation took part."
        }
        let mismatch =
            hasSampleRatioMismatch
            ? "Sample ratio mismatch: the observed group sizes do not match the weights. Do not trust these results until "
                + "the cause is found. " : ""
        // That there is no difference would be a statement about results that nobody should trust.
        if hasSampleRatioMismatch, verdict == .undecided { return mismatch + "Until then there is no winner." }
        if isTooEarly, verdict == .undecided, experiment.state == .running {
            return mismatch + "No verdict yet: there are too few data. Keep the experiment running."
        }
        return mismatch + sentence(verdict, experiment)
    }

    /// What was found, and what to do.
    private static func sentence(_ verdict: ExperimentVerdict, _ experiment: Experiment) -> String {
        let found = finding(verdict, experiment)
        switch (verdict, experiment.state) {
        case (.undecided, .running):
            return "No significant difference yet. Keep the experiment running; checking often is safe."
        case (.winner(let variant), .running), (.winner(let variant), .stopped):
            return variant == experiment.variants.first?.name ? "\(found)." : "\(found); roll it out."
        default: return "\(found)."
        }
    }

    /// The finding, without a full stop.
    static func finding(_ verdict: ExperimentVerdict, _ experiment: Experiment) -> String {
        switch verdict {
        case .undecided: "No difference was proven"
        case .winner(let variant) where variant == experiment.variants.first?.name:
            "The control '\(variant)' is better than every other variant"
        case .winner(let variant): "'\(variant)' is better than the control in \(experiment.goal.event)"
        case .harm(let variant, let metric): "'\(variant)' makes \(metric.event) worse than its guardrail allows"
        }
    }

    private static func method(_ experiment: Experiment) -> String {
        """
        The verdict, the p-values and the intervals of differences are of an always-valid test, which may be looked \
        at continuously: the mixture sequential probability ratio \
        test (Johari et al., Always Valid Inference, 2022; Waudby-Smith et al., 2024), at an error rate of \
        \(experiment.errorRate) for the whole experiment, shared by all comparisons (Bonferroni). Its clock is the information \
        about the difference. Of two estimates of the variance, each variant's own and that of all values together, the larger \
        one counts. The intervals of single variants and the probability to be best, which is shown only after the test has \
        found the best one, are Bayesian: a rate's posterior is Beta from a uniform prior, a mean's is Student's t (Gelman et \
        al., Bayesian Data Analysis, 3rd edition, 2.4 and 3.2). The sample ratio is tested as by Lindon and Malek (2022).
        """
    }
}
