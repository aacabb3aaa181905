/// A matrix to multiply with float vectors: of floats, or of int8 in hybrid models.
enum FloatWeights {
    case float(Matrix<Float>)
    case hybrid(HybridProduct)

    var rows: Int {
        switch self {
        case .float(let matrix): matrix.rows
        case .hybrid(let product): product.weights.rows
        }
    }

    var columns: Int {
        switch self {
        case .float(let matrix): matrix.columns
        case .hybrid(let product): product.weights.columns
        }
    }

    /// sums[row] += weights[row] · vector.
    func add(_ vector: UnsafePointer<Float>, to sums: UnsafeMutablePointer<Float>) {
        add(vector, vectors: 1, stride: 0, to: sums, stride: 0)
    }

    /// sums[row] += weights[row] · vector, for several vectors and their sums. Each begins `stride` elements after the
    /// one before.
    func add(
        _ vector: UnsafePointer<Float>, vectors: Int, stride vectorStride: Int,
        to sums: UnsafeMutablePointer<Float>, stride sumStride: Int
    ) {
        switch self {
        case .float(let matrix):
            FloatProduct.add(matrix, vector, vectors: vectors, stride: vectorStride, to: sums, stride: sumStride)
        case .hybrid(let product):
            for index in 0..<vectors {
                product.add(vector + index * vectorStride, to: sums + index * sumStride)
            }
        }
    }
}
