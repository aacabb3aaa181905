/// Integer arithmetic with rounding as the gemmlowp library (Jacob and others 2017) defines it. Exact to the bit,
/// because results of quantized models are compared byte for byte.
enum FixedPoint {
    /// value / 2^exponent, rounded to the nearest integer, ties away from zero. `exponent` is 0 to 31.
    @inline(__always)
    static func roundingDivide<Value: FixedWidthInteger>(_ value: Value, byPowerOfTwo exponent: Int) -> Value {
        let shift = Value(truncatingIfNeeded: exponent)
        let mask: Value = (1 &<< shift) &- 1
        let threshold: Value = (mask &>> 1) &+ (value < 0 ? 1 : 0)
        let carry: Value = (value & mask) > threshold ? 1 : 0
        return (value &>> shift) &+ carry
    }

    /// The high half of twice the product, rounded: the product of two fractions.
    @inline(__always)
    static func multiply(_ left: Int32, _ right: Int32) -> Int32 {
        guard left != .min || right != .min else { return .max }
        let product = Int64(left) * Int64(right)
        let nudge: Int64 = product >= 0 ? 1 << 30 : 1 - (1 << 30)
        return Int32(truncatingIfNeeded: (product + nudge) / (1 << 31))
    }

    /// The high half of twice the product of two numbers of 16 bits, rounded: the product of two fractions.
    @inline(__always)
    static func multiply(_ left: Int16, _ right: Int16) -> Int16 {
        guard left != .min || right != .min else { return .max }
        let product = Int32(left) * Int32(right)
        let nudge: Int32 = product >= 0 ? 1 << 14 : 1 - (1 << 14)
        return Int16(truncatingIfNeeded: (product + nudge) / (1 << 15))
    }

    @inline(__always)
    static func saturatingAdd(_ left: Int16, _ right: Int16) -> Int16 {
        Int16(clamping: Int32(left) + Int32(right))
    }
}
