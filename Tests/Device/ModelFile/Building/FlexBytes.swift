/// The options of a custom operator in FlexBuffers coding; everything is 4 bytes wide.
enum FlexBytes {
    enum Value {
        case integer(Int32)
        case float(Float)
        /// Something that is no number, and points to the keys.
        case text

        fileprivate var kind: UInt8 {
            switch self {
            case .integer: 1
            case .float: 3
            case .text: 5
            }
        }
    }

    /// A map with these keys in this order; a sound one has them sorted.
    static func map(_ entries: [(key: String, value: Value)]) -> [UInt8] {
        var bytes: [UInt8] = []
        var keys: [Int] = []
        for entry in entries {
            keys.append(bytes.count)
            bytes += entry.key.utf8 + [0]
        }
        while !bytes.count.isMultiple(of: 4) { bytes.append(0) }
        bytes += UInt32(entries.count).littleEndianBytes
        let keyList = bytes.count
        for key in keys { bytes += UInt32(bytes.count - key).littleEndianBytes }
        bytes += UInt32(bytes.count - keyList).littleEndianBytes + UInt32(4).littleEndianBytes
        bytes += UInt32(entries.count).littleEndianBytes
        let values = bytes.count
        for entry in entries {
            switch entry.value {
            case .integer(let number): bytes += number.littleEndianBytes
            case .float(let number): bytes += number.bitPattern.littleEndianBytes
            case .text: bytes += UInt32(bytes.count).littleEndianBytes
            }
        }
        bytes += entries.map { $0.value.kind << 2 | 2 }
        return bytes + UInt32(bytes.count - values).littleEndianBytes + [9 << 2 | 2, 4]
    }
}
