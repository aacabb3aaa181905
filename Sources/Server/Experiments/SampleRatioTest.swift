import Glibc

/// Whether the variants have as many installations as their weights promise. If not, something loses installations of one
/// variant more than of another, and no result of the experiment can be believed.
///
/// The sequential multinomial test of Lindon and Malek, "Anytime-valid inference for multinomial count data" (NeurIPS 2022):
/// the Bayes factor of "any shares" (Dirichlet prior around the promised ones) against "the promised shares", which stays
/// below 1 / p forever with probability 1 - p.
package enum SampleRatioTest {
    /// Below it, there is a mismatch.
    package static let threshold = 0.001

    /// The parts that the prior of the promised shares is worth.
    private static let concentration = 100.0

    /// The always-valid p-value, as of this look; 1 where nobody was counted.
    package static func pValue(counts: [Int], weights: [Int]) -> Double {
        let total = Double(weights.reduce(0, +))
        let sum = Double(counts.reduce(0, +))
        guard counts.count == weights.count, total > 0, sum > 0 else { return 1 }
        var logFactor = gamma(concentration) - gamma(concentration + sum)
        for (count, weight) in zip(counts, weights) {
            let share = Double(weight) / total
            guard share > 0 else {
                if count > 0 { return 0 }
                continue
            }
            logFactor += gamma(concentration * share + Double(count)) - gamma(concentration * share)
            logFactor -= Double(count) * log(share)
        }
        return min(1, exp(-logFactor))
    }

    /// The logarithm of the gamma function. Its arguments are positive, so the sign that C's function reports is always +1.
    private static func gamma(_ value: Double) -> Double {
        var sign: Int32 = 0
        return lgamma_r(value, &sign)
    }
}
