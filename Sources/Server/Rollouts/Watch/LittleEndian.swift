/// The numbers of stored forms.
extension [UInt8] {
    /// Little-endian.
    mutating func append<Number: FixedWidthInteger>(_ number: Number) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }

    /// The number whose little-endian bytes begin at `start`.
    func number<Number: FixedWidthInteger>(_ start: Int) -> Number {
        var number: Number = 0
        for index in 0..<MemoryLayout<Number>.size {
            number |= Number(truncatingIfNeeded: self[start + index]) << (8 * index)
        }
        return number
    }
}
