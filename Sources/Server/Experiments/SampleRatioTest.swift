import Glibc

/// Checks whether the numbers of installations match the variants' weights. If they do not, some fault loses more
/// installations of one variant than of another, and no result of the experiment can be trusted.
///
/// The sequential multinomial test of Lindon and Malek, "Anytime-valid inference for multinomial count data" (NeurIPS
/// 2022): the Bayes factor of "any shares" (Dirichlet prior around the planned ones) against "the planned shares",
/// which stays below 1 / p for ever with probability 1 - p.
package enum SampleRatioTest {
    /// A p-value at or below it is a mismatch.
    package static let threshold = 0.001

    /// The number of observations that the prior around the planned shares is worth.
    private static let concentration = 100.0

    /// The always-valid p-value as of now; 1 without any counts.
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

    /// The logarithm of the gamma function. The arguments are positive, so the sign that the C function returns is
    /// always +1.
    private static func gamma(_ value: Double) -> Double {
        var sign: Int32 = 0
        return lgamma_r(value, &sign)
    }
}
