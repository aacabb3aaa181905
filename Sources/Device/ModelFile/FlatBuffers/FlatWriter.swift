/// Writes a tree of values as a flatbuffer in front of existing bytes. References of the format only point forward, so
/// parents are written before their children, and all values may refer to the existing bytes after them.
struct FlatWriter {
    /// A 32-bit slot that is to refer to a position in the existing bytes.
    struct OpenReference {
        let slot: Int
        let target: Int
    }

    private(set) var bytes: [UInt8]
    private(set) var openReferences: [OpenReference] = []

    /// - Parameter identifier: Four ASCII letters.
    init(_ root: FlatValue, identifier: String) {
        bytes = [0, 0, 0, 0] + Array(identifier.utf8)
        write(root, slot: 0)
    }

    /// Writes `value` at the end, and a reference to it into `slot`.
    private mutating func write(_ value: FlatValue, slot: Int) {
        switch value {
        case .scalar(let scalar): bytes.replaceSubrange(slot..<slot + scalar.count, with: scalar)
        case .existing(let position): openReferences.append(OpenReference(slot: slot, target: position))
        case .table(let fields): writeTable(fields, slot: slot)
        case .string(let text):
            startVector(count: text.utf8.count, alignment: 4, slot: slot)
            bytes += text.utf8
            bytes.append(0)
        case .integers(let values):
            startVector(count: values.count, alignment: 4, slot: slot)
            for value in values { append(value) }
        case .longIntegers(let values):
            startVector(count: values.count, alignment: 8, slot: slot)
            for value in values { append(value) }
        case .bytes(let values):
            startVector(count: values.count, alignment: 16, slot: slot)
            bytes += values
        case .vector(let values):
            startVector(count: values.count, alignment: 4, slot: slot)
            let first = bytes.count
            bytes += [UInt8](repeating: 0, count: 4 * values.count)
            for (index, value) in values.enumerated() { write(value, slot: first + 4 * index) }
        }
    }

    /// Writes the count of a vector so that the elements, which follow, are aligned.
    private mutating func startVector(count: Int, alignment: Int, slot: Int) {
        pad(alignment: alignment, after: 4)
        refer(from: slot)
        append(UInt32(count))
    }

    /// Writes the vtable with the offset of each field, then the table with the distance back to the vtable.
    private mutating func writeTable(_ fields: [Int: FlatValue], slot: Int) {
        // Widest first, so that every field is aligned without gaps.
        let order = fields.sorted { ($1.value.inlineWidth, $0.key) < ($0.value.inlineWidth, $1.key) }
        let alignment = max(4, order.first?.value.inlineWidth ?? 0)
        var places: [Int: Int] = [:]
        var size = alignment
        for (id, field) in order {
            places[id] = size
            size += field.inlineWidth
        }
        let slotCount = (fields.keys.max() ?? -1) + 1
        let vtableSize = 4 + 2 * slotCount
        pad(alignment: alignment, after: vtableSize)
        append(UInt16(vtableSize))
        append(UInt16(size))
        for id in 0..<slotCount { append(UInt16(places[id] ?? 0)) }

        let table = bytes.count
        refer(from: slot)
        append(Int32(vtableSize))
        bytes += [UInt8](repeating: 0, count: size - 4)
        for (id, field) in order { write(field, slot: table + (places[id] ?? 0)) }
    }

    /// Pads so that data written `count` bytes later is aligned.
    private mutating func pad(alignment: Int, after count: Int) {
        while !(bytes.count + count).isMultiple(of: alignment) { bytes.append(0) }
    }

    /// Makes `slot` refer to the next byte to be written.
    private mutating func refer(from slot: Int) {
        write(.integer(UInt32(bytes.count - slot)), slot: slot)
    }

    private mutating func append(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }
}

/// A piece of a flatbuffer to write in front of an existing one.
indirect enum FlatValue {
    /// The little-endian bytes of one number, stored in the table itself.
    case scalar([UInt8])
    case string(String)
    /// A vector of 32-bit numbers.
    case integers([Int32])
    /// A vector of 64-bit numbers.
    case longIntegers([Int64])
    /// A vector of bytes, aligned to 16 like constants.
    case bytes([UInt8])
    /// A vector of tables or strings.
    case vector([FlatValue])
    /// The fields by their ids.
    case table([Int: FlatValue])
    /// The object at this position of the existing bytes.
    case existing(Int)

    static func integer(_ value: some FixedWidthInteger) -> FlatValue {
        .scalar(withUnsafeBytes(of: value.littleEndian) { [UInt8]($0) })
    }

    /// The bytes that the value takes in a table: its own, or those of a reference.
    var inlineWidth: Int {
        if case .scalar(let bytes) = self { return bytes.count }
        return 4
    }
}
