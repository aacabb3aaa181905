import Glibc

/// A test of a difference that may be checked after every observation and stopped at any time: the chance that it ever
/// rejects a true hypothesis stays at its error rate.
///
/// The mixture sequential probability ratio test with a normal mixture (Robbins 1970; Johari, Koomen, Pekelis and
/// Walsh, "Always Valid Inference", Operations Research 2022), with estimated variances, which makes it asymptotic
/// (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit theory and asymptotic confidence
/// sequences", Annals of Statistics 2024, theorem 2.2). Asymptotic means that the first few observations are not
/// covered: decisions must wait until `BurnIn` is over.
package struct SequentialTest: Sendable, Hashable {
    /// The chance of ever rejecting a true hypothesis, 0 to 1 exclusive.
    package let errorRate: Double
    /// The variance of the mixture, per observation: the square of the expected difference, in standard deviations.
    private let mixture: Double

    /// - Parameter plannedSize: the number of observations in each of the two samples at which the test is most
    ///   powerful (ibid., appendix B.2). At least 1.
    package init(errorRate: Double, plannedSize: Int) {
        self.errorRate = errorRate
        let doubt = -2 * log(errorRate)
        // Two samples of n contain as much information about their difference as one of n / 2.
        mixture = (doubt + log(doubt) + 1) / (Double(max(plannedSize, 1)) / 2)
    }

    /// The difference of two means.
    package struct Difference: Sendable, Hashable {
        package let estimate: Double
        /// The variance of the estimate.
        package let variance: Double
        /// n·m / (n + m) for sample sizes n and m.
        let weight: Double

        /// `sample` minus `factor` times `control`; nil if one of them has fewer than two values, or all values are
        /// equal.
        package init?(_ sample: Sample, over control: Sample, times factor: Double = 1) {
            guard sample.count > 1, control.count > 1 else { return nil }
            let variance =
                sample.variance / Double(sample.count) + factor * factor * control.variance / Double(control.count)
            guard variance > 0 else { return nil }
            self.init(sample, control, times: factor, variance)
        }

        /// The same for two rates, with the variance that they have if they are equal.
        package init?(pooled sample: Sample, over control: Sample) {
            guard sample.count > 0, control.count > 0 else { return nil }
            let rate = (sample.sum + control.sum) / Double(sample.count + control.count)
            let variance = rate * (1 - rate) * (1 / Double(sample.count) + 1 / Double(control.count))
            guard variance > 0 else { return nil }
            self.init(sample, control, times: 1, variance)
        }

        private init(_ sample: Sample, _ control: Sample, times factor: Double, _ variance: Double) {
            estimate = sample.mean - factor * control.mean
            self.variance = variance
            weight = Double(sample.count) * Double(control.count) / Double(sample.count + control.count)
        }
    }

    /// The always-valid p-value of "there is no difference", as of now.
    package func pValue(_ difference: Difference) -> Double {
        let information = difference.weight * mixture
        let distance = difference.estimate * difference.estimate / (2 * difference.variance)
        let logRatio = information / (1 + information) * distance - log(1 + information) / 2
        return min(1, exp(-logRatio))
    }

    /// The confidence sequence of a difference: at all times together it contains the true difference, except with the
    /// probability of the error rate.
    ///
    /// - Parameter differences: estimates of the same difference with different variances. The widest interval counts.
    package func interval(_ differences: [Difference]) -> ClosedRange<Double>? {
        guard let estimate = differences.first?.estimate, let radius = differences.map(radius).max() else { return nil }
        return estimate - radius...estimate + radius
    }

    /// Half the width of the confidence sequence: at all times together, the true difference is within this distance of
    /// the estimate, except with the probability of the error rate.
    package func radius(_ difference: Difference) -> Double {
        let information = difference.weight * mixture
        let doubt = log((1 + information).squareRoot() / errorRate)
        return (2 * difference.variance * (1 + information) / information * doubt).squareRoot()
    }
}
