extension UnsafeRawBufferPointer {
    /// The little-endian number at `offset`; nil where that reaches beyond the bytes.
    func littleEndian<Number: FixedWidthInteger & BitwiseCopyable>(_: Number.Type, at offset: Int) -> Number? {
        guard offset >= 0, offset <= count - MemoryLayout<Number>.size else { return nil }
        return Number(littleEndian: loadUnaligned(fromByteOffset: offset, as: Number.self))
    }
}
