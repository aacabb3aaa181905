/// What is known of a metric in one variant: how many installations, and the sums of their values and of the squares.
public struct Sample: Sendable, Hashable {
    public var count: Int
    public var sum: Double
    public var sumOfSquares: Double

    public init(count: Int = 0, sum: Double = 0, sumOfSquares: Double = 0) {
        self.count = count
        self.sum = sum
        self.sumOfSquares = sumOfSquares
    }

    public mutating func add(_ value: Double) {
        count += 1
        sum += value
        sumOfSquares += value * value
    }

    /// 0 of an empty one.
    public var mean: Double { count == 0 ? 0 : sum / Double(count) }

    /// Without bias; 0 of fewer than two.
    public var variance: Double {
        guard count > 1 else { return 0 }
        // Never below zero, which rounding might bring.
        return max(0, (sumOfSquares - Double(count) * mean * mean) / Double(count - 1))
    }
}
