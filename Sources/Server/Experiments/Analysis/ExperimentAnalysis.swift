/// Makes reports of an experiment's data.
///
/// Half of the experiment's error rate is for the goal, shared by the variants that are compared with the control; half is
/// for the guardrails, shared by variants and guardrails (Bonferroni).
public struct ExperimentAnalysis: Sendable {
    /// What must have been seen before anything is decided, because the test is an asymptotic one.
    public enum BurnIn {
        /// Installations in each of the two samples.
        public static let count = 200
        /// Conversions in both together.
        public static let conversions = 20.0
    }

    private let experiment: Experiment
    private let goalTest: SequentialTest
    private let guardrailTest: SequentialTest

    public init(_ experiment: Experiment) {
        self.experiment = experiment
        let comparisons = max(1, experiment.variants.count - 1)
        goalTest = SequentialTest(
            errorRate: experiment.errorRate / 2 / Double(comparisons), plannedSize: experiment.plannedExposures)
        guardrailTest = SequentialTest(
            errorRate: experiment.errorRate / 2 / Double(comparisons * max(1, experiment.guardrails.count)),
            plannedSize: experiment.plannedExposures)
    }

    public func report(_ data: ExperimentData) -> ExperimentReport {
        let goal = rows(data.goal, experiment.goal, goalTest)
        return ExperimentReport(
            exposures: data.exposures, goal: goal,
            guardrails: zip(data.guardrails, experiment.guardrails).map { rows($0, $1.metric, guardrailTest) },
            sampleRatioPValue: SampleRatio.pValue(
                counts: data.exposures, weights: experiment.variants.map(\.weight)),
            verdict: harm(data) ?? winner(data.goal, goal) ?? .goOn)
    }

    private func rows(_ samples: [Sample], _ metric: Metric, _ test: SequentialTest) -> [ExperimentReport.Row] {
        let posteriors = samples.map { Posterior($0, kind: metric.kind) }
        let known = posteriors.compactMap { $0 }
        let best =
            known.count == samples.count && known.count > 1
            ? Posterior.probabilitiesToBeBest(known, isLowerBetter: metric.isLowerBetter) : nil
        return samples.indices.map { index in
            let isControl = index == 0
            return ExperimentReport.Row(
                variant: experiment.variants[index].name, count: samples[index].count, value: samples[index].mean,
                credibleInterval: posteriors[index]?.credibleInterval(),
                difference: isControl ? nil : samples[index].mean - samples[0].mean,
                probabilityToBeBest: best?[index],
                pValue: isControl ? nil : difference(samples[index], samples[0], metric).map(test.pValue))
        }
    }

    /// Nil before the burn-in is over.
    private func difference(_ sample: Sample, _ control: Sample, _ metric: Metric) -> SequentialTest.Difference? {
        guard min(sample.count, control.count) >= BurnIn.count else { return nil }
        guard metric.kind == .conversion else { return SequentialTest.Difference(sample, over: control) }
        // Rare conversions, and rare failures to convert, are as far from a normal distribution.
        let conversions = sample.sum + control.sum
        let others = Double(sample.count + control.count) - conversions
        guard min(conversions, others) >= BurnIn.conversions else { return nil }
        return SequentialTest.Difference(pooled: sample, over: control)
    }

    private func winner(_ samples: [Sample], _ rows: [ExperimentReport.Row]) -> Verdict? {
        guard samples.count > 1 else { return nil }
        let sign = experiment.goal.isLowerBetter ? -1.0 : 1.0
        let found = rows.dropFirst().filter { ($0.pValue ?? 1) <= goalTest.errorRate }
        let better = found.filter { sign * ($0.difference ?? 0) > 0 }
        if let best = better.max(by: { ($0.probabilityToBeBest ?? 0) < ($1.probabilityToBeBest ?? 0) }) {
            return .winner(best.variant)
        }
        return found.count == rows.count - 1 ? .winner(rows[0].variant) : nil
    }

    /// The whole confidence sequence lies beyond what the guardrail allows.
    private func harm(_ data: ExperimentData) -> Verdict? {
        for (samples, guardrail) in zip(data.guardrails, experiment.guardrails) {
            for index in samples.indices.dropFirst() {
                guard let difference = difference(samples[index], samples[0], guardrail.metric) else { continue }
                let worse = guardrail.metric.isLowerBetter ? difference.estimate : -difference.estimate
                let allowed = guardrail.margin * abs(samples[0].mean)
                if worse - guardrailTest.radius(difference) > allowed {
                    return .harm(variant: experiment.variants[index].name, metric: guardrail.metric)
                }
            }
        }
        return nil
    }
}
