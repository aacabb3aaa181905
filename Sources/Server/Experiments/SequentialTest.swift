import Glibc

/// A test of a difference that may be checked after every observation and stopped at any time: the chance that it ever
/// rejects a true hypothesis stays at its error rate.
///
/// The mixture sequential probability ratio test with normal mixtures (Robbins 1970; Johari, Koomen, Pekelis and
/// Walsh, "Always Valid Inference", Operations Research 2022), with estimated variances, which makes it asymptotic
/// (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit theory and asymptotic confidence
/// sequences", Annals of Statistics 2024, theorem 2.2). Asymptotic means that the first few observations are not
/// covered: decisions must wait until `BurnIn` is over.
///
/// Its clock is the information about the difference, not the number of installations, because values grow while
/// nobody joins. See `Difference.information`.
package struct SequentialTest: Sendable, Hashable {
    /// The chance of ever rejecting a true hypothesis, 0 to 1 exclusive.
    package let errorRate: Double
    /// The parts of the mixture. A part's rate is how fast its clock goes, per unit of information. In the literature:
    /// the variance of a normal distribution of the true difference.
    private let parts: [Part]
    /// The least precision that counts; nil if the clock is the number of observations. Values that add up to nothing
    /// have no precision, and the clock must go for them, too.
    private let leastPrecision: Double?

    private struct Part: Hashable {
        let rate: Double
        let share: Double
    }

    /// - Parameters:
    ///   - plannedSize: the number of observations in each of the two samples at which the test is most powerful
    ///     (ibid., appendix B.2). At least 1.
    ///   - precision: what the squared mean of the values will be as a multiple of their variance, roughly. A wrong
    ///     number costs time, no errors. Nil if no value changes after it was observed: then the clock is the number of
    ///     observations.
    package init(errorRate: Double, plannedSize: Int, precision: Double? = nil) {
        self.errorRate = errorRate
        let doubt = -2 * log(errorRate)
        // Two samples of n contain as much information about their difference as one of n / 2.
        let rate = (doubt + log(doubt) + 1) / (Double(max(plannedSize, 1)) / 2)
        leastPrecision = precision.map { $0 / 20 }
        guard let precision else {
            parts = [Part(rate: rate, share: 1)]
            return
        }
        // Nobody knows the precision before. A second and a third part, for a tenth and for ten times of it, make a
        // wrong number cheap.
        parts = [(0.1, 0.1), (1, 0.8), (10, 0.1)].map { Part(rate: rate / (precision * $0), share: $1) }
    }

    /// The difference of two means.
    package struct Difference: Sendable, Hashable {
        package let estimate: Double
        /// The variance of the estimate.
        package let variance: Double
        /// n·m / (n + m) for sample sizes n and m.
        let weight: Double
        /// The squared mean of the values of both samples as a multiple of their variance.
        let precision: Double

        /// `sample` minus `factor` times `control`, where most values may be 0 and a few large; nil if one
        /// of them has fewer than two values, or all values are equal.
        ///
        /// There are two estimates of the variance: one from each sample's own spread, and one from the spread of all
        /// values, as if nothing but the factor distinguished the samples. The larger one counts. A small sample
        /// seldom contains the large values, and its own spread is then far too small. But where it does contain them,
        /// only its own spread shows it.
        ///
        /// - Parameter areRates: whether all values are 0 or 1. A rate that is `factor` times as high is another rate,
        ///   not one of larger values.
        package init?(skewed sample: Sample, over control: Sample, times factor: Double = 1, areRates: Bool = false) {
            guard sample.count > 1, control.count > 1 else { return nil }
            let (count, controlCount) = (Double(sample.count), Double(control.count))
            let all = sample.joined(control, times: factor)
            var common = 0.0
            if factor > 0, areRates {
                let rate = min(1, (sample.sum + control.sum) / (factor * count + controlCount))
                let higher = min(1, factor * rate)
                common = higher * (1 - higher) / count + factor * factor * rate * (1 - rate) / controlCount
            } else if factor > 0 {
                common = all.variance * (1 / count + 1 / controlCount)
            }
            variance = max(common, sample.variance / count + factor * factor * control.variance / controlCount)
            guard variance > 0 else { return nil }
            estimate = sample.mean - factor * control.mean
            weight = count * controlCount / (count + controlCount)
            precision = all.variance > 0 ? all.mean * all.mean / all.variance : .infinity
        }

        /// - Parameter weight: n·m / (n + m) for sample sizes n and m.
        package init(estimate: Double, variance: Double, weight: Double) {
            self.estimate = estimate
            self.variance = variance
            self.weight = weight
            precision = .infinity
        }

        /// How much is known about the difference, compared with the size of the values: the clock of the test.
        ///
        /// Installations that join add to it, and so do values that grow while nobody joins. The correlation between a
        /// standardized difference and a later one is the square root of the ratio of their information where
        /// - installations join whose values stay,
        /// - totals grow by independent amounts, or by amounts that differ between installations and not over time,
        /// - installations convert one after the other,
        /// - means become more precise.
        ///
        /// The boundary of the test is made for such a process. The variance has no unit that is the same for all
        /// metrics, and the number of installations stands still while totals grow.
        ///
        /// - Parameter least: the least precision that counts; nil to count observations.
        func information(least: Double?) -> Double { least.map { weight * min(max(precision, $0), 1e12) } ?? weight }
    }

    /// The always-valid p-value of "there is no difference", as of now.
    package func pValue(_ difference: Difference) -> Double {
        let distance = difference.estimate * difference.estimate / (2 * difference.variance)
        return min(1, exp(-logRatio(distance, difference.information(least: leastPrecision))))
    }

    /// The confidence sequence of a difference: at all times together it contains the true difference, except with the
    /// probability of the error rate. It leaves out 0 exactly where the p-value is at most the error rate.
    package func interval(_ difference: Difference) -> ClosedRange<Double> {
        let radius = radius(difference)
        return difference.estimate - radius...difference.estimate + radius
    }

    /// Half the width of the confidence sequence: at all times together, the true difference is within this distance of
    /// the estimate, except with the probability of the error rate.
    package func radius(_ difference: Difference) -> Double {
        let information = difference.information(least: leastPrecision)
        let wanted = -log(errorRate)
        // The ratio grows with the distance. One part of the mixture alone gives an upper end.
        var low = 0.0
        var high =
            parts.map { part in
                let time = part.rate * information
                return (1 + time) / time * (wanted + log(1 + time) / 2 - log(part.share))
            }.min() ?? 0
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if logRatio(middle, information) < wanted { low = middle } else { high = middle }
        }
        return (2 * difference.variance * high).squareRoot()
    }

    /// The logarithm of the likelihood ratio of "some difference" to "none".
    ///
    /// - Parameter distance: half the square of the standardized difference.
    private func logRatio(_ distance: Double, _ information: Double) -> Double {
        let logs = parts.map { part in
            let time = part.rate * information
            return log(part.share) + time / (1 + time) * distance - log(1 + time) / 2
        }
        // The largest one is taken out, because its exponential may be more than a number can be.
        let largest = logs.max() ?? 0
        return largest + log(logs.reduce(0) { $0 + exp($1 - largest) })
    }
}
