/// A fixed-size record of a zip: bounds are checked once, then the little-endian fields are read by their offset.
struct ZipRecord {
    private let bytes: ModelBytes
    private let position: Int
    private let size: Int

    /// - Returns: nil when the record would not lie within the file or does not start with `signature`.
    init?(_ bytes: ModelBytes, at position: Int, size: Int, signature: UInt32) {
        guard position >= 0, position <= bytes.count - size else { return nil }
        self.bytes = bytes
        self.position = position
        self.size = size
        guard integer(0, UInt32.self) == signature else { return nil }
    }

    /// The 16-bit field at `offset`.
    func short(_ offset: Int) -> Int { Int(integer(offset, UInt16.self)) }

    /// The 32-bit field at `offset`.
    func long(_ offset: Int) -> Int { Int(integer(offset, UInt32.self)) }

    private func integer<Value: FixedWidthInteger>(_ offset: Int, _ type: Value.Type) -> Value {
        precondition(offset + MemoryLayout<Value>.size <= size)
        return Value(littleEndian: bytes.baseAddress.loadUnaligned(fromByteOffset: position + offset, as: type))
    }
}
