/// The product of a quantized matrix and a quantized vector, rescaled to 16 bits.
struct IntegerProduct {
    var rows: Int { weights.rows }

    private let weights: Matrix<Int8>
    private let multiplier: FixedPointMultiplier
    /// For each row, the bias minus the part of the product that comes from the vector's zero point.
    private let offsets: AlignedBuffer<Int32>
    private let widened: AlignedBuffer<Int16>

    /// - Parameters:
    ///   - bias: One number for each row; nil for none.
    ///   - zeroPoint: The zero point of the vector; the weights have none.
    init(_ weights: Matrix<Int8>, bias: Vector<Int32>?, zeroPoint: Int, multiplier: FixedPointMultiplier) {
        self.weights = weights
        self.multiplier = multiplier
        widened = AlignedBuffer(count: weights.columns, initial: 0)
        offsets = AlignedBuffer(count: weights.rows, initial: 0)
        for row in 0..<weights.rows {
            var sum: Int32 = 0
            for column in 0..<weights.columns { sum &+= Int32(weights.start[row * weights.columns + column]) }
            offsets.start[row] = (bias?.start[row] ?? 0) &- sum &* Int32(zeroPoint)
        }
    }

    /// Adds each row's product to its sum. Results are limited to the range of 16 bits.
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

/// Dot products of int8 weights with a vector of small integers, which was widened to 16 bits once for all rows.
enum IntegerDot {
    /// weights · vector, wrapping. Elements of `vector` fit into 8 bits, so each product fits into 16.
    @inline(__always)
    static func product(_ weights: UnsafePointer<Int8>, _ vector: UnsafePointer<Int16>, _ count: Int) -> Int32 {
        let rawWeights = UnsafeRawPointer(weights)
        let rawVector = UnsafeRawPointer(vector)
        var low = SIMD4<Int32>.zero
        var high = SIMD4<Int32>.zero
        var index = 0
        while index + 8 <= count {
            let left = SIMD8<Int16>(
                truncatingIfNeeded: rawWeights.loadUnaligned(fromByteOffset: index, as: SIMD8<Int8>.self))
            let right = rawVector.loadUnaligned(fromByteOffset: 2 * index, as: SIMD8<Int16>.self)
            // Each 32-bit lane now holds two adjacent products. Shifts separate them and keep their signs.
            let pairs = unsafeBitCast(left &* right, to: SIMD4<Int32>.self)
            low &+= (pairs &<< 16) &>> 16
            high &+= pairs &>> 16
            index += 8
        }
        var sum = (low &+ high).wrappedSum()
        while index < count {
            sum &+= Int32(weights[index]) &* Int32(vector[index])
            index += 1
        }
        return sum
    }
}
