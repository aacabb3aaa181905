/// The totals of one metric over those installations of one variant that logged anything for it.
package struct VariantTotal: Sendable, Hashable {
    package var variant: Int
    package var metric: Int
    package var installations: Int
    /// Those whose sum is not 0.
    package var nonzero: Int
    /// The sums of the installations' sums, and of their squares.
    package var sum: Double
    package var sumOfSquares: Double
    /// The sums of the installations' means, and of their squares.
    package var meanSum: Double
    package var meanSumOfSquares: Double

    package init(
        variant: Int, metric: Int, installations: Int, nonzero: Int, sum: Double, sumOfSquares: Double,
        meanSum: Double, meanSumOfSquares: Double
    ) {
        self.variant = variant
        self.metric = metric
        self.installations = installations
        self.nonzero = nonzero
        self.sum = sum
        self.sumOfSquares = sumOfSquares
        self.meanSum = meanSum
        self.meanSumOfSquares = meanSumOfSquares
    }
}
