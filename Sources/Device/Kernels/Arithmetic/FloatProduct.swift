/// Products of a float matrix with vectors. Four rows at a time share each load of the vector. Eight lanes accumulate
/// the sums, and are added up at the end of the row.
enum FloatProduct {
    private typealias Lanes = SIMD8<Float>

    /// sums[row] += matrix[row] · vector, for several vectors, each `stride` elements after the one before, and for
    /// their sums. The rows of the matrix are read once for all vectors.
    static func add(
        _ matrix: Matrix<Float>, _ vector: UnsafePointer<Float>, vectors: Int, stride vectorStride: Int,
        to sums: UnsafeMutablePointer<Float>, stride sumStride: Int
    ) {
        let columns = matrix.columns
        var row = 0
        while row + 4 <= matrix.rows {
            let weights = matrix.start + row * columns
            for index in 0..<vectors {
                addFourRows(weights, columns, vector + index * vectorStride, sums + (index * sumStride + row))
            }
            row += 4
        }
        while row < matrix.rows {
            let weights = matrix.start + row * columns
            for index in 0..<vectors {
                sums[index * sumStride + row] += dot(weights, vector + index * vectorStride, columns)
            }
            row += 1
        }
    }

    /// left · right.
    static func dot(_ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, _ count: Int) -> Float {
        var lanes = Lanes.zero
        var index = 0
        while index + Lanes.scalarCount <= count {
            lanes += load(left + index) * load(right + index)
            index += Lanes.scalarCount
        }
        var sum = lanes.sum()
        while index < count {
            sum += left[index] * right[index]
            index += 1
        }
        return sum
    }

    @inline(__always)
    private static func addFourRows(
        _ weights: UnsafePointer<Float>, _ columns: Int, _ vector: UnsafePointer<Float>,
        _ sums: UnsafeMutablePointer<Float>
    ) {
        let (row0, row1) = (weights, weights + columns)
        let (row2, row3) = (weights + 2 * columns, weights + 3 * columns)
        var (lanes0, lanes1, lanes2, lanes3) = (Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero)
        var index = 0
        while index + Lanes.scalarCount <= columns {
            let values = load(vector + index)
            lanes0 += load(row0 + index) * values
            lanes1 += load(row1 + index) * values
            lanes2 += load(row2 + index) * values
            lanes3 += load(row3 + index) * values
            index += Lanes.scalarCount
        }
        var total = SIMD4(lanes0.sum(), lanes1.sum(), lanes2.sum(), lanes3.sum())
        while index < columns {
            total += SIMD4(row0[index], row1[index], row2[index], row3[index]) * vector[index]
            index += 1
        }
        for lane in 0..<4 { sums[lane] += total[lane] }
    }

    @inline(__always)
    private static func load(_ address: UnsafePointer<Float>) -> Lanes {
        UnsafeRawPointer(address).loadUnaligned(as: Lanes.self)
    }
}
