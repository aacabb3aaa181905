/// A positive real factor as a 31-bit fraction and a power of two. It is applied to sums as in gemmlowp: the product is
/// rounded to 32 bits first, and once more by the shift.
struct FixedPointMultiplier {
    private let fraction: Int32
    private let leftShift: Int32
    private let rightShift: Int

    /// nil for factors that no quantized model can have: not finite, not positive, or 2^30 and above.
    init?(_ factor: Double) {
        guard factor.isFinite, factor > 0, factor < 0x1p30 else { return nil }
        var shift = Int(factor.exponent) + 1
        var scaled = (factor.significand / 2 * 0x1p31).rounded(.toNearestOrAwayFromZero)
        if scaled == 0x1p31 {
            scaled /= 2
            shift += 1
        }
        // So small that every product with a 32-bit sum is 0.
        let vanishes = shift < -31
        fraction = vanishes ? 0 : Int32(scaled)
        leftShift = Int32(max(0, shift))
        rightShift = vanishes ? 0 : max(0, -shift)
    }

    @inline(__always)
    func apply(_ value: Int32) -> Int32 {
        FixedPoint.roundingDivide(FixedPoint.multiply(value &<< leftShift, fraction), byPowerOfTwo: rightShift)
    }
}
