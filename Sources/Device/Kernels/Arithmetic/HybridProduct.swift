/// The product of int8 weights and a float vector, which is quantized for each product with its own scale.
struct HybridProduct {
    let weights: Matrix<Int8>
    private let scale: Float
    private let isAsymmetric: Bool
    private let rowSums: AlignedBuffer<Int32>
    private let quantized: AlignedBuffer<Int16>

    /// - Parameters:
    ///   - scale: The scale of the weights.
    ///   - isAsymmetric: Whether vectors are quantized with a zero point.
    init(_ weights: Matrix<Int8>, scale: Float, isAsymmetric: Bool) {
        self.weights = weights
        self.scale = scale
        self.isAsymmetric = isAsymmetric
        rowSums = AlignedBuffer(count: weights.rows, initial: 0)
        quantized = AlignedBuffer(count: weights.columns, initial: 0)
        for index in 0..<weights.rows * weights.columns {
            rowSums.start[index / weights.columns] &+= Int32(weights.start[index])
        }
    }

    /// sums[row] += weights[row] · vector.
    func add(_ vector: UnsafePointer<Float>, to sums: UnsafeMutablePointer<Float>) {
        let columns = weights.columns
        let quantizer = Quantizer(vector, columns, isAsymmetric: isAsymmetric)
        quantizer.quantize(vector, columns, to: quantized.start)
        let productScale = quantizer.scale * scale
        for row in 0..<weights.rows {
            let start = weights.start + row * columns
            let product =
                IntegerDot.product(start, quantized.start, columns) &- rowSums.start[row] &* quantizer.zeroPoint
            sums[row] += Float(product) * productScale
        }
    }
}

/// Quantizes one vector of floats to int8 over the vector's own range: value = scale x (stored value - zero point).
struct Quantizer {
    /// NaN if the vector has a value that is not finite, so that its products are NaN too.
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
            // In this order, NaN becomes the lowest number instead of a trap.
            target[index] = value >= 127 ? 127 : value > lowest ? Int16(value) : Int16(lowest)
        }
    }

    /// The integer nearest to the position of zero, computed from the end of the range that has the smaller error.
    private static func zeroPoint(low: Double, high: Double) -> Int32 {
        let fromLow = -128 - low
        let fromHigh = 127 - high
        let exact = 128 + abs(low) < 127 + abs(high) ? fromLow : fromHigh
        return Int32(min(max(exact, -128), 127).rounded(.toNearestOrAwayFromZero))
    }
}
