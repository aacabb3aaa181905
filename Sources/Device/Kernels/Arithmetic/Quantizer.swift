/// How one vector of floats becomes int8: value = scale x (stored value - zero point), over the vector's own range.
struct Quantizer {
    /// NaN where the vector has a value that is not finite, so that its products are NaN too.
    let scale: Float
    let zeroPoint: Int32
    private let factor: Float
    private let lowest: Float

    init(_ vector: UnsafePointer<Float>, _ count: Int, isAsymmetric: Bool) {
        var (low, high) = (Float(0), Float(0))
        var isFinite = true
        for index in 0..<count {
            let value = vector[index]
            low = value < low ? value : low
            high = value > high ? value : high
            isFinite = isFinite && value.isFinite
        }
        lowest = isAsymmetric ? -128 : -127
        guard isFinite else {
            (scale, zeroPoint, factor) = (.nan, 0, 0)
            return
        }
        guard low < high else {
            (scale, zeroPoint, factor) = (1, 0, 1)
            return
        }
        if isAsymmetric {
            let step = (Double(high) - Double(low)) / 255
            scale = Float(step)
            factor = Float(1 / Double(scale))
            zeroPoint = Self.zeroPoint(low: Double(low) / step, high: Double(high) / step)
        } else {
            let range = max(-low, high)
            scale = range / 127
            factor = 127 / range
            zeroPoint = 0
        }
    }

    func quantize(_ vector: UnsafePointer<Float>, _ count: Int, to target: UnsafeMutablePointer<Int16>) {
        let offset = Float(zeroPoint)
        for index in 0..<count {
            let value = (offset + vector[index] * factor).rounded(.toNearestOrAwayFromZero)
            // Ordered so that NaN ends at the lowest number instead of in a trap.
            target[index] = value >= 127 ? 127 : value > lowest ? Int16(value) : Int16(lowest)
        }
    }

    /// The whole number nearest to zero's place, counted from the end of the range that loses less.
    private static func zeroPoint(low: Double, high: Double) -> Int32 {
        let fromLow = -128 - low
        let fromHigh = 127 - high
        let exact = 128 + abs(low) < 127 + abs(high) ? fromLow : fromHigh
        return Int32(min(max(exact, -128), 127).rounded(.toNearestOrAwayFromZero))
    }
}
