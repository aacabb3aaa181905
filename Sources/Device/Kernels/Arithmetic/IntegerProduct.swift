/// The product of a quantized matrix and a quantized vector, rescaled to 16 bits.
struct IntegerProduct {
    var rows: Int { weights.rows }

    private let weights: Matrix<Int8>
    private let multiplier: FixedPointMultiplier
    /// For each row the bias, less what the vector's zero point adds to the product.
    private let offsets: Memory<Int32>
    private let widened: Memory<Int16>

    /// - Parameters:
    ///   - bias: one for each row; nil for none.
    ///   - zeroPoint: of the vector; the weights have none.
    init(_ weights: Matrix<Int8>, bias: Vector<Int32>?, zeroPoint: Int, multiplier: FixedPointMultiplier) {
        self.weights = weights
        self.multiplier = multiplier
        widened = Memory(count: weights.columns, initial: 0)
        offsets = Memory(count: weights.rows, initial: 0)
        for row in 0..<weights.rows {
            var sum: Int32 = 0
            for column in 0..<weights.columns { sum &+= Int32(weights.start[row * weights.columns + column]) }
            offsets.start[row] = (bias?.start[row] ?? 0) &- sum &* Int32(zeroPoint)
        }
    }

    /// Adds each row's product to its sum; what does not fit 16 bits stays at the nearest number that does.
    func add(_ vector: UnsafePointer<Int8>, to sums: UnsafeMutablePointer<Int16>) {
        let columns = weights.columns
        for column in 0..<columns { widened.start[column] = Int16(vector[column]) }
        for row in 0..<weights.rows {
            let start = weights.start + row * columns
            let product = offsets.start[row] &+ IntegerDot.product(start, widened.start, columns)
            sums[row] = Int16(clamping: Int64(multiplier.apply(product)) + Int64(sums[row]))
        }
    }
}
