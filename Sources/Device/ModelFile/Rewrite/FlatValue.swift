/// A piece of a flatbuffer to be written in front of an existing one.
indirect enum FlatValue {
    /// The little-endian bytes of one number, stored in the table itself.
    case scalar([UInt8])
    case string(String)
    /// A vector of numbers of 32 bits.
    case integers([Int32])
    /// A vector of bytes, aligned to 16 as constants are.
    case bytes([UInt8])
    /// A vector of tables or strings.
    case vector([FlatValue])
    /// The fields by their ids.
    case table([Int: FlatValue])
    /// What begins at this position of the existing bytes.
    case existing(Int)

    static func integer(_ value: some FixedWidthInteger) -> FlatValue {
        .scalar(withUnsafeBytes(of: value.littleEndian) { [UInt8]($0) })
    }

    /// Bytes that the value takes in a table: its own, or those of a reference.
    var inlineWidth: Int {
        if case .scalar(let bytes) = self { return bytes.count }
        return 4
    }
}
