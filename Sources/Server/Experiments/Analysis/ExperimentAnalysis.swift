/// Makes reports of an experiment's data.
///
/// The experiment's error rate is shared by all comparisons (Bonferroni): the goal has half of it, or all where there are no
/// guardrails, in equal parts for the variants that are compared with the control; the guardrails have the other half.
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
            errorRate: experiment.errorRate / (experiment.guardrails.isEmpty ? 1 : 2) / Double(comparisons),
            plannedSize: experiment.plannedExposures)
        guardrailTest = SequentialTest(
            errorRate: experiment.errorRate / 2 / Double(comparisons * max(1, experiment.guardrails.count)),
            plannedSize: experiment.plannedExposures)
    }

    public func report(_ data: ExperimentData) -> ExperimentReport {
        ExperimentReport(
            exposures: data.exposures, goal: rows(data.goal, experiment.goal, goalTest),
            guardrails: zip(data.guardrails, experiment.guardrails).map { rows($0, $1.metric, guardrailTest) },
            sampleRatioPValue: sampleRatioPValue(data), verdict: verdict(data))
    }

    /// Whether the experiment is to be stopped. Harm comes before everything: also a variant that wins may do it. Nobody wins
    /// where installations are missing from a variant: the figures cannot be believed.
    public func verdict(_ data: ExperimentData) -> ExperimentVerdict {
        harm(data) ?? (hasSampleRatioMismatch(data) ? nil : winner(data.goal)) ?? .goOn
    }

    public func hasSampleRatioMismatch(_ data: ExperimentData) -> Bool {
        sampleRatioPValue(data) <= SampleRatio.threshold
    }

    private func sampleRatioPValue(_ data: ExperimentData) -> Double {
        SampleRatio.pValue(counts: data.exposures, weights: experiment.variants.map(\.weight))
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

    private func winner(_ samples: [Sample]) -> ExperimentVerdict? {
        let found = samples.indices.dropFirst().filter { index in
            guard let difference = difference(samples[index], samples[0], experiment.goal) else { return false }
            return goalTest.pValue(difference) <= goalTest.errorRate
        }
        let sign = experiment.goal.isLowerBetter ? -1.0 : 1.0
        let better = found.filter { sign * (samples[$0].mean - samples[0].mean) > 0 }
        if let best = better.max(by: { sign * samples[$0].mean < sign * samples[$1].mean }) {
            return .winner(experiment.variants[best].name)
        }
        return samples.count > 1 && found.count == samples.count - 1 ? .winner(experiment.variants[0].name) : nil
    }

    /// The whole confidence sequence of "the variant less what the control's value allows" lies beyond zero.
    private func harm(_ data: ExperimentData) -> ExperimentVerdict? {
        for (samples, guardrail) in zip(data.guardrails, experiment.guardrails) {
            for index in samples.indices.dropFirst() {
                guard let difference = difference(samples[index], samples[0], guardrail) else { continue }
                let worse = guardrail.metric.isLowerBetter ? difference.estimate : -difference.estimate
                if worse > guardrailTest.radius(difference) {
                    return .harm(variant: experiment.variants[index].name, metric: guardrail.metric)
                }
            }
        }
        return nil
    }

    /// Of the variant's mean from the worst one that the guardrail allows. The margin is a part of the control's mean, which
    /// is an estimate too: its error counts as much more.
    private func difference(
        _ sample: Sample, _ control: Sample, _ guardrail: Guardrail
    ) -> SequentialTest.Difference? {
        guard let plain = difference(sample, control, guardrail.metric) else { return nil }
        guard guardrail.margin > 0 else { return plain }
        let sign = (guardrail.metric.isLowerBetter ? 1.0 : -1.0) * (control.mean < 0 ? -1 : 1)
        return SequentialTest.Difference(sample, over: control, times: 1 + sign * guardrail.margin)
    }
}
