/// The functions that the file format can fuse into an operator, with its numbers.
enum Activation: Int {
    case none = 0
    case relu = 1
    case reluToOne = 2
    case relu6 = 3
    case tanh = 4
    case signBit = 5

    /// Replaces each of `count` values by the function's result.
    func apply(_ values: UnsafeMutablePointer<Float>, _ count: Int) {
        switch self {
        case .none: break
        case .relu: for index in 0..<count { values[index] = max(0, values[index]) }
        case .reluToOne: Self.clip(values, count, from: -1, to: 1)
        case .relu6: Self.clip(values, count, from: 0, to: 6)
        case .tanh: Lanes.map(values, count, Transcendental.tanh)
        case .signBit: for index in 0..<count { values[index] = values[index].sign == .minus ? 1 : 0 }
        }
    }

    /// The activation of gates, which the format never fuses.
    static func sigmoid(_ values: UnsafeMutablePointer<Float>, _ count: Int) {
        Lanes.map(values, count, Transcendental.sigmoid)
    }

    static func clip(_ values: UnsafeMutablePointer<Float>, _ count: Int, from low: Float, to high: Float) {
        for index in 0..<count { values[index] = min(max(values[index], low), high) }
    }
}

/// Exponential, sigmoid and tanh of eight floats at once, with a relative error of about 1e-7. The polynomials are
/// those of the Cephes library (S. Moshier, 1992), single precision. NaN stays NaN.
enum Transcendental {
    typealias Vector = Lanes.Vector

    /// e^x. Arguments beyond ±87 count as ±87, so that the result stays a normal number.
    @inline(__always)
    static func exponential(_ value: Vector) -> Vector {
        let argument = value.clamped(lowerBound: Vector(repeating: -87), upperBound: Vector(repeating: 87))
        // Adding 1.5 x 2^23 leaves no bits for a fraction, so the sum's low bits are the rounded number.
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

    /// 1 / (1 + e^-x).
    @inline(__always)
    static func sigmoid(_ value: Vector) -> Vector {
        1 / (1 + exponential(-value))
    }

    @inline(__always)
    static func tanh(_ value: Vector) -> Vector {
        // Near zero, the difference of two nearly equal numbers would lose the low bits.
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

/// Element-wise operations on arrays of floats, eight at a time.
enum Lanes {
    typealias Vector = SIMD8<Float>

    /// Replaces each value by the result of `transform`. The last values share one vector whose other lanes are zero.
    @inline(__always)
    static func map(
        _ values: UnsafeMutablePointer<Float>, _ count: Int, _ transform: (Vector) -> Vector
    ) {
        let raw = UnsafeMutableRawPointer(values)
        let whole = count - count % Vector.scalarCount
        for index in stride(from: 0, to: whole, by: Vector.scalarCount) {
            let place = index * MemoryLayout<Float>.stride
            let image = transform(raw.loadUnaligned(fromByteOffset: place, as: Vector.self))
            raw.storeBytes(of: image, toByteOffset: place, as: Vector.self)
        }
        guard whole < count else { return }
        var rest = Vector.zero
        for index in whole..<count { rest[index - whole] = values[index] }
        rest = transform(rest)
        for index in whole..<count { values[index] = rest[index - whole] }
    }
}
