import Foundation

/// The functions that turn a network's numbers into probabilities. Free of side effects.
enum Probability {
    /// 1 / (1 + exp(-number)), 0 to 1.
    static func sigmoid(_ number: Float) -> Float {
        // Two equivalent forms, so that the exponential never overflows.
        if number >= 0 { return 1 / (1 + exp(-number)) }
        let small = exp(number)
        return small / (1 + small)
    }

    /// exp(number) / sum over all, 0 to 1. Where a number is not finite, all results may be NaN.
    static func softmax(_ numbers: [Float]) -> [Float] {
        // Subtracting the largest changes no quotient, and keeps the exponentials finite.
        let largest = numbers.max() ?? 0
        let powers = numbers.map { exp($0 - largest) }
        let sum = powers.reduce(0, +)
        return powers.map { $0 / sum }
    }
}
