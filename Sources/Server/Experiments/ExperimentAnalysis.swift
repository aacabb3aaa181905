/// Makes reports from an experiment's data.
///
/// All comparisons share the experiment's error rate (Bonferroni). The goal gets half of it, or all of it without
/// guardrails, in equal parts for the variants that are compared with the control. The guardrails get the other half.
package struct ExperimentAnalysis: Sendable {
    private let experiment: Experiment
    /// The error rate of each comparison of the goal with the control.
    package let goalErrorRate: Double
    /// The error rate of each comparison of a guardrail's metric with the control.
    package let guardrailErrorRate: Double

    package init(_ experiment: Experiment) {
        self.experiment = experiment
        let comparisons = max(1, experiment.variants.count - 1)
        goalErrorRate = experiment.errorRate / (experiment.guardrails.isEmpty ? 1 : 2) / Double(comparisons)
        guardrailErrorRate = experiment.errorRate / 2 / Double(comparisons * max(1, experiment.guardrails.count))
    }

    private func test(_ metric: Metric, _ errorRate: Double) -> SequentialTest {
        SequentialTest(
            errorRate: errorRate, plannedSize: experiment.plannedExposures, precision: metric.kind.precision)
    }

    private var goalTest: SequentialTest { test(experiment.goal, goalErrorRate) }

    /// The goal by variant. Unlike a report, it takes only microseconds.
    package func goalComparisons(_ data: ExperimentData) -> [ExperimentReport.Comparison] {
        comparisons(data.goal, experiment.goal, goalTest)
    }

    package func report(_ data: ExperimentData) -> ExperimentReport {
        ExperimentReport(
            exposures: data.exposures, goal: rows(data, data.goal, experiment.goal, goalErrorRate),
            guardrails: zip(data.guardrails, experiment.guardrails).map {
                rows(data, $0, $1.metric, guardrailErrorRate)
            },
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

    /// Whether no variant has enough data for a verdict about the goal.
    package func isTooEarly(_ data: ExperimentData) -> Bool {
        data.goal.dropFirst().allSatisfy {
            !BurnIn.shortages($0, data.goal[0], experiment.goal.kind).isEmpty
        }
    }

    private func sampleRatioPValue(_ data: ExperimentData) -> Double {
        SampleRatioTest.pValue(counts: data.exposures, weights: experiment.variants.map(\.weight))
    }

    private func rows(
        _ data: ExperimentData, _ samples: [Sample], _ metric: Metric, _ errorRate: Double
    ) -> [ExperimentReport.Row] {
        let posteriors = samples.map { Posterior($0, kind: metric.kind) }
        let test = test(metric, errorRate)
        let best = hasSampleRatioMismatch(data) ? nil : probabilitiesToBeBest(posteriors, samples, metric, test)
        return zip(samples.indices, comparisons(samples, metric, test)).map { index, comparison in
            ExperimentReport.Row(
                variant: experiment.variants[index].name, count: samples[index].count, value: comparison.value,
                credibleInterval: posteriors[index]?.credibleInterval(), difference: comparison.difference,
                differenceInterval: comparison.interval, decisiveDifference: comparison.decisiveDifference,
                probabilityToBeBest: best?[index], pValue: comparison.pValue,
                shortages: index > 0 ? BurnIn.shortages(samples[index], samples[0], metric.kind) : [])
        }
    }

    /// Only where the test has found the same one. Until then such a probability would say what the test does not: it
    /// is often near 100 % while there is no proof, and after many looks it once was, without any difference.
    private func probabilitiesToBeBest(
        _ posteriors: [Posterior?], _ samples: [Sample], _ metric: Metric, _ test: SequentialTest
    ) -> [Double]? {
        let known = posteriors.compactMap { $0 }
        guard known.count == samples.count, let found = best(samples, metric, test) else { return nil }
        let best = Posterior.probabilitiesToBeBest(known, isLowerBetter: metric.isLowerBetter)
        return best.indices.max { best[$0] < best[$1] } == found ? best : nil
    }

    private func comparisons(
        _ samples: [Sample], _ metric: Metric, _ test: SequentialTest
    ) -> [ExperimentReport.Comparison] {
        samples.indices.map { index in
            let value = samples[index].mean
            guard index > 0 else { return ExperimentReport.Comparison(value: value) }
            let tested = difference(samples[index], samples[0], metric)
            // A difference of two rates is never beyond 1.
            let interval = tested.map(test.interval).map { metric.kind == .conversion ? $0.clamped(to: -1...1) : $0 }
            return ExperimentReport.Comparison(
                value: value, difference: value - samples[0].mean, interval: interval,
                decisiveDifference: tested.map(test.radius), pValue: tested.map(test.pValue))
        }
    }

    /// Nil before the burn-in is over.
    private func difference(
        _ sample: Sample, _ control: Sample, _ metric: Metric, times factor: Double = 1
    ) -> SequentialTest.Difference? {
        guard BurnIn.shortages(sample, control, metric.kind, times: factor).isEmpty else { return nil }
        return SequentialTest.Difference(
            skewed: sample, over: control, times: factor, areRates: metric.kind == .conversion)
    }

    private func winner(_ samples: [Sample]) -> ExperimentVerdict? {
        best(samples, experiment.goal, goalTest).map { .winner(experiment.variants[$0].name) }
    }

    /// The index of the best variant of those that are proven to be better than the control; 0 if all are proven to be
    /// worse.
    private func best(_ samples: [Sample], _ metric: Metric, _ test: SequentialTest) -> Int? {
        let found = samples.indices.dropFirst().filter { index in
            guard let difference = difference(samples[index], samples[0], metric) else { return false }
            return test.pValue(difference) <= test.errorRate
        }
        let sign = metric.isLowerBetter ? -1.0 : 1.0
        let better = found.filter { sign * (samples[$0].mean - samples[0].mean) > 0 }
        if let best = better.max(by: { sign * samples[$0].mean < sign * samples[$1].mean }) { return best }
        return samples.count > 1 && found.count == samples.count - 1 ? 0 : nil
    }

    /// Harm is proven if the whole confidence sequence of the difference between the variant and the worst allowed
    /// value is beyond zero.
    private func harm(_ data: ExperimentData) -> ExperimentVerdict? {
        for (samples, guardrail) in zip(data.guardrails, experiment.guardrails) {
            let test = test(guardrail.metric, guardrailErrorRate)
            for index in samples.indices.dropFirst() {
                guard let difference = difference(samples[index], samples[0], guardrail) else { continue }
                let worse = guardrail.metric.isLowerBetter ? difference.estimate : -difference.estimate
                if worse > 0, test.pValue(difference) <= test.errorRate {
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
        let sign = (guardrail.metric.isLowerBetter ? 1.0 : -1.0) * (control.mean < 0 ? -1 : 1)
        return difference(sample, control, guardrail.metric, times: 1 + sign * guardrail.margin)
    }
}

extension Metric.Kind {
    /// The squared mean of such values as a multiple of their variance, for which the test is made. A rate of 2 % has
    /// 0.02. Totals have 0.01 where 3 % of the installations buy something and what they pay differs as usual. Averages
    /// that spread as wide as they are large have 1.
    fileprivate var precision: Double {
        switch self {
        case .conversion: 0.02
        case .total: 0.01
        case .average: 1
        }
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
    /// The number of installations whose value is not 0.
    package var nonzero: Int

    package init(count: Int = 0, sum: Double = 0, sumOfSquares: Double = 0, nonzero: Int = 0) {
        self.count = count
        self.sum = sum
        self.sumOfSquares = sumOfSquares
        self.nonzero = nonzero
    }

    package mutating func add(_ value: Double) {
        count += 1
        sum += value
        sumOfSquares += value * value
        if value != 0 { nonzero += 1 }
    }

    /// Both samples as one, after each value of the other one was multiplied by `factor`.
    func joined(_ other: Sample, times factor: Double) -> Sample {
        Sample(
            count: count + other.count, sum: sum + factor * other.sum,
            sumOfSquares: sumOfSquares + factor * factor * other.sumOfSquares, nonzero: nonzero + other.nonzero)
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
        package var decisiveDifference: Double?
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
        /// too little data. It leaves out 0 exactly where the p-value is at most the comparison's error rate.
        package let differenceInterval: ClosedRange<Double>?
        /// How far from 0 the difference would have to be to be proven by now; nil where there is no interval.
        package let decisiveDifference: Double?
        /// Nil as long as the test has not found the best one of this metric.
        package let probabilityToBeBest: Double?
        /// The p-value of "no different from the control", valid however often it is checked; nil for the control, and
        /// with too little data. See `SequentialTest`.
        package let pValue: Double?
        /// What there is too little of for a p-value; empty for the control. The sample 0 is the control's, 1 that of
        /// this variant.
        package let shortages: [BurnIn.Shortage]
    }

    package let exposures: [Int]
    package let goal: [Row]
    /// By guardrail.
    package let guardrails: [[Row]]
    /// See `SampleRatioTest`.
    package let sampleRatioPValue: Double
    package let verdict: ExperimentVerdict

    /// Whether no variant has enough data for a verdict about the goal.
    package var isTooEarly: Bool { goal.dropFirst().allSatisfy { !$0.shortages.isEmpty } }
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
