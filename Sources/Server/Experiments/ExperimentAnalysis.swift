/// Makes reports from an experiment's data.
///
/// All comparisons share the experiment's error rate (Bonferroni). The goal gets half of it, or all of it without
/// guardrails, in equal parts for the variants that are compared with the control. The guardrails get the other half.
package struct ExperimentAnalysis: Sendable {
    /// The least data for any decision, because the test is asymptotic.
    package enum BurnIn {
        /// Installations in each of the two samples.
        package static let count = 200
        /// Conversions in both samples together.
        package static let conversions = 20.0
    }

    private let experiment: Experiment
    private let goalTest: SequentialTest
    private let guardrailTest: SequentialTest

    package init(_ experiment: Experiment) {
        self.experiment = experiment
        let comparisons = max(1, experiment.variants.count - 1)
        goalTest = SequentialTest(
            errorRate: experiment.errorRate / (experiment.guardrails.isEmpty ? 1 : 2) / Double(comparisons),
            plannedSize: experiment.plannedExposures)
        guardrailTest = SequentialTest(
            errorRate: experiment.errorRate / 2 / Double(comparisons * max(1, experiment.guardrails.count)),
            plannedSize: experiment.plannedExposures)
    }

    /// The error rate of each comparison of the goal with the control.
    package var goalErrorRate: Double { goalTest.errorRate }
    /// The error rate of each comparison of a guardrail's metric with the control.
    package var guardrailErrorRate: Double { guardrailTest.errorRate }

    /// The goal by variant. Unlike a report, it takes only microseconds.
    package func goalComparisons(_ data: ExperimentData) -> [ExperimentReport.Comparison] {
        comparisons(data.goal, experiment.goal, goalTest)
    }

    package func report(_ data: ExperimentData) -> ExperimentReport {
        ExperimentReport(
            exposures: data.exposures, goal: rows(data.goal, experiment.goal, goalTest),
            guardrails: zip(data.guardrails, experiment.guardrails).map { rows($0, $1.metric, guardrailTest) },
            sampleRatioPValue: sampleRatioPValue(data), verdict: verdict(data))
    }

    /// Whether the experiment must be stopped. Harm has precedence, because a winning variant may cause it too. With a
    /// sample ratio mismatch there is no winner: the metric results cannot be trusted.
    package func verdict(_ data: ExperimentData) -> ExperimentVerdict {
        harm(data) ?? (hasSampleRatioMismatch(data) ? nil : winner(data.goal)) ?? .undecided
    }

    package func hasSampleRatioMismatch(_ data: ExperimentData) -> Bool {
        sampleRatioPValue(data) <= SampleRatioTest.threshold
    }

    private func sampleRatioPValue(_ data: ExperimentData) -> Double {
        SampleRatioTest.pValue(counts: data.exposures, weights: experiment.variants.map(\.weight))
    }

    private func rows(_ samples: [Sample], _ metric: Metric, _ test: SequentialTest) -> [ExperimentReport.Row] {
        let posteriors = samples.map { Posterior($0, kind: metric.kind) }
        let known = posteriors.compactMap { $0 }
        let best =
            known.count == samples.count && known.count > 1
            ? Posterior.probabilitiesToBeBest(known, isLowerBetter: metric.isLowerBetter) : nil
        return zip(samples.indices, comparisons(samples, metric, test)).map { index, comparison in
            ExperimentReport.Row(
                variant: experiment.variants[index].name, count: samples[index].count, value: comparison.value,
                credibleInterval: posteriors[index]?.credibleInterval(), difference: comparison.difference,
                differenceInterval: comparison.interval, probabilityToBeBest: best?[index],
                pValue: comparison.pValue)
        }
    }

    private func comparisons(
        _ samples: [Sample], _ metric: Metric, _ test: SequentialTest
    ) -> [ExperimentReport.Comparison] {
        samples.indices.map { index in
            let value = samples[index].mean
            guard index > 0 else { return ExperimentReport.Comparison(value: value) }
            let tested = difference(samples[index], samples[0], metric)
            return ExperimentReport.Comparison(
                value: value, difference: value - samples[0].mean,
                interval: tested.flatMap { interval($0, samples[index], samples[0], metric, test) },
                pValue: tested.map(test.pValue))
        }
    }

    /// The test of two rates assumes that they are equal, and its variance is that of equal rates. In groups of different
    /// sizes the variance of different rates may be larger, and an interval must contain those too.
    private func interval(
        _ tested: SequentialTest.Difference, _ sample: Sample, _ control: Sample, _ metric: Metric,
        _ test: SequentialTest
    ) -> ClosedRange<Double>? {
        guard metric.kind == .conversion else { return test.interval([tested]) }
        let differing = SequentialTest.Difference(sample, over: control)
        return test.interval([tested, differing].compactMap { $0 }).map { $0.clamped(to: -1...1) }
    }

    /// Nil before the burn-in is over.
    private func difference(_ sample: Sample, _ control: Sample, _ metric: Metric) -> SequentialTest.Difference? {
        guard min(sample.count, control.count) >= BurnIn.count else { return nil }
        guard metric.kind == .conversion else { return SequentialTest.Difference(sample, over: control) }
        // Rare conversions and rare failures to convert are equally far from a normal distribution.
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

    /// Harm is proven if the whole confidence sequence of the difference between the variant and the worst allowed
    /// value is beyond zero.
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

    /// The difference between the variant's mean and the worst one that the guardrail allows. The margin is relative to
    /// the control's mean, which is an estimate too, so its error has more weight.
    private func difference(
        _ sample: Sample, _ control: Sample, _ guardrail: Guardrail
    ) -> SequentialTest.Difference? {
        guard let plain = difference(sample, control, guardrail.metric) else { return nil }
        guard guardrail.margin > 0 else { return plain }
        let sign = (guardrail.metric.isLowerBetter ? 1.0 : -1.0) * (control.mean < 0 ? -1 : 1)
        return SequentialTest.Difference(sample, over: control, times: 1 + sign * guardrail.margin)
    }
}

/// The counts of an experiment so far, in the order of its variants.
package struct ExperimentData: Sendable, Hashable {
    /// The number of exposed installations.
    package var exposures: [Int]
    package var goal: [Sample]
    /// By guardrail, then by variant.
    package var guardrails: [[Sample]]

    package init(exposures: [Int], goal: [Sample], guardrails: [[Sample]] = []) {
        self.exposures = exposures
        self.goal = goal
        self.guardrails = guardrails
    }
}

/// A metric's data for one variant: the number of installations, the sum of their values, and the sum of the squares.
package struct Sample: Sendable, Hashable {
    package var count: Int
    package var sum: Double
    package var sumOfSquares: Double

    package init(count: Int = 0, sum: Double = 0, sumOfSquares: Double = 0) {
        self.count = count
        self.sum = sum
        self.sumOfSquares = sumOfSquares
    }

    package mutating func add(_ value: Double) {
        count += 1
        sum += value
        sumOfSquares += value * value
    }

    /// 0 for an empty sample.
    package var mean: Double { count == 0 ? 0 : sum / Double(count) }

    /// Unbiased; 0 for fewer than two values.
    package var variance: Double {
        guard count > 1 else { return 0 }
        // Rounding could make it negative.
        return max(0, (sumOfSquares - Double(count) * mean * mean) / Double(count - 1))
    }
}

/// The results of an experiment so far.
package struct ExperimentReport: Sendable, Hashable {
    /// A metric of one variant beside that of the control.
    package struct Comparison: Sendable, Hashable {
        /// The conversion rate, or the mean.
        package let value: Double
        /// As in `Row`, like all below.
        package var difference: Double?
        package var interval: ClosedRange<Double>?
        package var pValue: Double?
    }

    /// One metric in one variant.
    package struct Row: Sendable, Hashable {
        package let variant: String
        /// The installations behind the value.
        package let count: Int
        /// The conversion rate, or the mean.
        package let value: Double
        /// Contains the true value with 95 % probability; nil with too little data. See `Posterior`.
        package let credibleInterval: ClosedRange<Double>?
        /// The value minus the control's value; nil for the control itself.
        package let difference: Double?
        /// The confidence sequence of the difference, valid however often it is looked at; nil for the control, and with
        /// too little data. It leaves out 0 only if the p-value is at most the comparison's error rate.
        package let differenceInterval: ClosedRange<Double>?
        /// Nil if one of the variants has too little data.
        package let probabilityToBeBest: Double?
        /// The p-value of "no different from the control", valid however often it is checked; nil for the control, and
        /// with too little data. See `SequentialTest`.
        package let pValue: Double?
    }

    package let exposures: [Int]
    package let goal: [Row]
    /// By guardrail.
    package let guardrails: [[Row]]
    /// See `SampleRatioTest`.
    package let sampleRatioPValue: Double
    package let verdict: ExperimentVerdict

    package var hasSampleRatioMismatch: Bool { sampleRatioPValue <= SampleRatioTest.threshold }
}

/// Whether an experiment is decided, and how.
package enum ExperimentVerdict: Sendable, Hashable {
    case undecided
    /// This variant is better than the control; or, with the control's name, the control is better than every variant.
    case winner(String)
    /// The variant makes the metric worse than its guardrail allows.
    case harm(variant: String, metric: Metric)
}
