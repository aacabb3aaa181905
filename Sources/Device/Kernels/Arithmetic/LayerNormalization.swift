/// Layer normalization (Ba, Kiros and Hinton 2016) of one gate: mean 0 and variance 1, then a factor and a bias each.
enum LayerNormalization {
    private static let epsilon: Float = 1e-8

    static func apply(
        _ values: UnsafeMutablePointer<Float>, coefficients: Vector<Float>, bias: Vector<Float>
    ) {
        let count = coefficients.count
        var sum: Float = 0
        for index in 0..<count { sum += values[index] }
        let mean = sum / Float(count)
        var squares: Float = 0
        for index in 0..<count {
            let difference = values[index] - mean
            squares += difference * difference
        }
        let factor = 1 / (squares / Float(count) + epsilon).squareRoot()
        for index in 0..<count {
            values[index] = (values[index] - mean) * factor * coefficients.start[index] + bias.start[index]
        }
    }
}
