/// Element-wise work on arrays of floats, eight at a time.
enum Lanes {
    typealias Vector = SIMD8<Float>

    /// Replaces each value by its image. The last values share one vector whose other lanes are zero.
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
