/// Dot products of int8 weights with a vector of small integers that was widened to 16 bits once for all rows.
enum IntegerDot {
    /// weights · vector, wrapping. Elements of `vector` fit 8 bits, so that each product fits 16.
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
            // Each 32-bit lane now holds two neighbouring products; shifts take them apart with their signs.
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
