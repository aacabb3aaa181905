/// Sigmoid and tanh of 16-bit fixed-point numbers, computed like gemmlowp's fixed-point reference: the exponential by a
/// Taylor polynomial and a barrel shifter, quotients by three Newton-Raphson steps. Results have 15 fractional bits.
enum FixedPointFunctions {
    private static let one = Int16.max

    /// 1 / (1 + e^-x). `value` has 3 integer bits.
    static func sigmoid(_ value: Int16) -> Int16 {
        guard value != 0 else { return 1 << 14 }
        let negative = value > 0 ? 0 &- value : value
        let reciprocal = doubled(reciprocalEstimate(halfDenominator(exponential(negative, integerBits: 3))), times: 1)
        return value > 0 ? reciprocal : one &- reciprocal
    }

    /// - Parameter integerBits: The integer bits of `value`, 0 to 6.
    static func tanh(_ value: Int16, integerBits: Int) -> Int16 {
        guard value != 0 else { return 0 }
        let negative = value < 0 ? value : 0 &- value
        // One more integer bit doubles the argument: tanh x = (1 - e^-2x) / (1 + e^-2x).
        let estimate = reciprocalEstimate(halfDenominator(exponential(negative, integerBits: integerBits + 1)))
        let magnitude = doubled(estimate &- (1 << 13), times: 2)
        return value < 0 ? 0 &- magnitude : magnitude
    }

    /// e^x for x <= 0.
    private static func exponential(_ value: Int16, integerBits: Int) -> Int16 {
        guard value != 0 else { return one }
        let fractionalBits = 15 - integerBits
        if integerBits > 5, Int32(value) < -(1 << (fractionalBits + 5)) { return 0 }
        let quarter = Int16(1) << Int16(fractionalBits - 2)
        let rest = (value & (quarter - 1)) &- quarter
        var result = exponentialOfQuarter(doubled(rest, times: integerBits))
        // The rest is a sum of powers of two, from a quarter on, with one known factor for each.
        let quarters = (rest &- value) &>> Int16(fractionalBits - 2)
        for index in 0..<min(powers.count, integerBits + 2) where quarters & (1 &<< Int16(index)) != 0 {
            result = FixedPoint.multiply(result, powers[index])
        }
        return result
    }

    /// e^-1/4, e^-1/2, e^-1 ... e^-16.
    private static let powers: [Int16] = [
        1_672_461_947, 1_302_514_674, 790_015_084, 290_630_308, 39_332_535, 720_401, 242,
    ].map(narrowed)

    private static let exponentialOfMinusEighth = narrowed(1_895_147_668)
    private static let third = narrowed(715_827_883)
    private static let newtonStart = narrowed(1_515_870_810)
    private static let newtonSlope = narrowed(-1_010_580_540)

    /// Converts a constant with 31 fractional bits, as in the reference, to 15.
    private static func narrowed(_ value: Int32) -> Int16 {
        Int16(truncatingIfNeeded: FixedPoint.roundingDivide(value, byPowerOfTwo: 16))
    }

    /// e^x for -1/4 <= x < 0: a Taylor polynomial around -1/8.
    private static func exponentialOfQuarter(_ value: Int16) -> Int16 {
        let x = value &+ (1 << 12)
        let square = FixedPoint.multiply(x, x)
        let cube = FixedPoint.multiply(square, x)
        let fourth = FixedPoint.roundingDivide(FixedPoint.multiply(square, square), byPowerOfTwo: 2)
        let higher = FixedPoint.multiply(fourth &+ cube, third) &+ square
        let sum = x &+ FixedPoint.roundingDivide(higher, byPowerOfTwo: 1)
        return FixedPoint.saturatingAdd(
            exponentialOfMinusEighth, FixedPoint.multiply(exponentialOfMinusEighth, sum))
    }

    /// (value + 1) / 2, ties away from zero. `value` is not negative.
    private static func halfDenominator(_ value: Int16) -> Int16 {
        Int16(truncatingIfNeeded: (Int32(value) + Int32(one) + 1) / 2)
    }

    /// 1 / denominator, with 2 integer bits. The denominator is between 1/2 and 1.
    private static func reciprocalEstimate(_ denominator: Int16) -> Int16 {
        var estimate = newtonStart &+ FixedPoint.multiply(denominator, newtonSlope)
        for _ in 0..<3 {
            let error = (1 << 13) &- FixedPoint.multiply(denominator, estimate)
            estimate = estimate &+ doubled(FixedPoint.multiply(estimate, error), times: 2)
        }
        return estimate
    }

    /// value x 2^times, limited to the range of 16 bits.
    private static func doubled(_ value: Int16, times: Int) -> Int16 {
        Int16(clamping: Int32(value) << Int32(times))
    }
}
