import CBoostMath

/// A probability distribution of a variant's true value, given the data. For people to read: no experiment is stopped
/// because of it, since frequent checks would sooner or later find a difference by chance.
///
/// - A conversion rate: Beta(1 + conversions, 1 + others), from a uniform prior (Gelman et al., Bayesian Data Analysis,
///   3rd edition, section 2.4).
/// - A mean: Student's t around the sample's mean with its standard error, from the prior that favours no scale (ibid.,
///   section 3.2). For values that are not normal it relies on the central limit theorem.
package enum Posterior: Sendable, Hashable {
    case beta(alpha: Double, beta: Double)
    case student(mean: Double, standardError: Double, degrees: Double)

    /// Nil for a sample that is too small: empty for a conversion, fewer than two values for a mean.
    package init?(_ sample: Sample, kind: Metric.Kind) {
        switch kind {
        case .conversion:
            guard sample.count > 0 else { return nil }
            self = .beta(alpha: 1 + sample.sum, beta: 1 + Double(sample.count) - sample.sum)
        case .total, .average:
            guard sample.count > 1 else { return nil }
            self = .student(
                mean: sample.mean, standardError: (sample.variance / Double(sample.count)).squareRoot(),
                degrees: Double(sample.count - 1))
        }
    }

    /// The value below which the true value is with that probability, 0 to 1 exclusive.
    package func quantile(_ probability: Double) -> Double {
        switch self {
        case .beta(let alpha, let beta): hearth_beta_quantile(alpha, beta, probability)
        case .student(let mean, let error, let degrees):
            mean + error * hearth_student_quantile(degrees, probability)
        }
    }

    /// The probability that the true value is below `value`.
    package func cumulative(_ value: Double) -> Double {
        switch self {
        case .beta(let alpha, let beta): value <= 0 ? 0 : value >= 1 ? 1 : hearth_beta_cdf(alpha, beta, value)
        case .student(let mean, let error, let degrees):
            // All values are equal, so nothing is uncertain.
            error == 0
                ? (value < mean ? 0 : value > mean ? 1 : 0.5) : hearth_student_cdf(degrees, (value - mean) / error)
        }
    }

    /// The central interval that contains the true value with `probability`. For a rate of which all or none were seen it
    /// goes to the end, because an interval without the value that it is about confuses its readers.
    package func credibleInterval(_ probability: Double = 0.95) -> ClosedRange<Double> {
        if case .beta(let alpha, let beta) = self {
            if alpha == 1, beta > 1 { return 0...quantile(probability) }
            if beta == 1, alpha > 1 { return quantile(1 - probability)...1 }
        }
        let tail = (1 - probability) / 2
        return quantile(tail)...quantile(1 - tail)
    }

    /// For each posterior, the probability that it is the best of all. The probabilities add up to one.
    ///
    /// It is the integral over one distribution of the probability that all others are worse, computed from the values
    /// at the midpoints of 1,000 equal parts. Nothing is drawn at random, so the same data give the same result.
    package static func probabilitiesToBeBest(_ posteriors: [Posterior], isLowerBetter: Bool) -> [Double] {
        let parts = 1000
        let raw = posteriors.indices.map { index in
            let sum = (0..<parts).reduce(0.0) { sum, part in
                let value = posteriors[index].quantile((Double(part) + 0.5) / Double(parts))
                return sum
                    + posteriors.indices.reduce(1.0) { product, other in
                        guard other != index else { return product }
                        let below = posteriors[other].cumulative(value)
                        return product * (isLowerBetter ? 1 - below : below)
                    }
            }
            return sum / Double(parts)
        }
        let total = raw.reduce(0, +)
        return total > 0 ? raw.map { $0 / total } : raw.map { _ in 1 / Double(raw.count) }
    }
}
