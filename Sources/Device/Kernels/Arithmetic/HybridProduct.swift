/// The product of int8 weights and a float vector that is quantized for the occasion, with a scale of its own.
struct HybridProduct {
    let weights: Matrix<Int8>
    private let scale: Float
    private let isAsymmetric: Bool
    private let rowSums: Memory<Int32>
    private let quantized: Memory<Int16>

    /// - Parameters:
    ///   - scale: of the weights.
    ///   - isAsymmetric: whether vectors are quantized with a zero point.
    init(_ weights: Matrix<Int8>, scale: Float, isAsymmetric: Bool) {
        self.weights = weights
        self.scale = scale
        self.isAsymmetric = isAsymmetric
        rowSums = Memory(count: weights.rows, initial: 0)
        quantized = Memory(count: weights.columns, initial: 0)
        for index in 0..<weights.rows * weights.columns {
            rowSums.start[index / weights.columns] &+= Int32(weights.start[index])
        }
    }

    /// sums[row] += weights[row] · vector
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
