/// Exponential, sigmoid and tanh of eight floats at once, to about 1e-7 of the value. The polynomials are those of the
/// Cephes library (S. Moshier, 1992), single precision. NaN stays NaN.
enum Transcendental {
    typealias Vector = Lanes.Vector

    /// e^x; arguments beyond ±87 count as ±87, so that the result stays an ordinary number.
    @inline(__always)
    static func exponential(_ value: Vector) -> Vector {
        let argument = value.clamped(lowerBound: Vector(repeating: -87), upperBound: Vector(repeating: 87))
        // Adding 1.5 x 2^23 leaves no room for a fraction: the sum's low bits are the rounded number.
        let magic: Float = 12_582_912
        let shifted = argument * 1.442_695_04 + magic
        let power = shifted - magic
        // ln 2 in two parts, so that the difference keeps its low bits.
        let rest = argument - power * 0.693_359_375 + power * 2.121_944_4e-4
        let magicBits = Int32(bitPattern: magic.bitPattern)
        let exponent = unsafeBitCast(shifted, to: SIMD8<Int32>.self) &- magicBits
        let bits = unsafeBitCast(polynomial(rest), to: SIMD8<Int32>.self) &+ (exponent &<< 23)
        let result = unsafeBitCast(bits, to: Vector.self)
        return result.replacing(with: value, where: value .!= value)
    }

    /// 1 / (1 + e^-x)
    @inline(__always)
    static func sigmoid(_ value: Vector) -> Vector {
        1 / (1 + exponential(-value))
    }

    @inline(__always)
    static func tanh(_ value: Vector) -> Vector {
        // Near zero the difference of two nearly equal numbers would lose the low bits.
        let large = 1 - 2 / (exponential(2 * value) + 1)
        let square = value * value
        var series = -5.704_988_73e-3 * square + 2.063_908_88e-2
        series = series * square - 5.373_971_56e-2
        series = series * square + 1.333_144_22e-1
        series = series * square - 3.333_328_19e-1
        let small = value + value * square * series
        return large.replacing(with: small, where: square .< 0.390_625)
    }

    /// e^x for |x| up to half of ln 2.
    @inline(__always)
    private static func polynomial(_ value: Vector) -> Vector {
        var sum = 1.987_569_15e-4 * value + 1.398_199_95e-3
        sum = sum * value + 8.333_451_9e-3
        sum = sum * value + 4.166_579_6e-2
        sum = sum * value + 1.666_666_5e-1
        sum = sum * value + 0.5
        return sum * value * value + value + 1
    }
}
