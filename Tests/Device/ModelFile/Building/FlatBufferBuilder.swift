/// A piece of a flatbuffer to be written. Parents are written before their children, so all offsets point forward.
indirect enum FlatNode: Sendable {
    case table([Int: FlatField])
    case nodes([FlatNode])
    /// A vector of scalars, each `width` bytes wide.
    case scalars([UInt8], width: Int)
    case string(String)

    static func integers<Value: FixedWidthInteger>(_ values: [Value]) -> FlatNode {
        .scalars(values.flatMap(\.littleEndianBytes), width: MemoryLayout<Value>.size)
    }

    static func floats(_ values: [Float]) -> FlatNode {
        .integers(values.map(\.bitPattern))
    }
}

enum FlatField: Sendable {
    case scalar([UInt8])
    case node(FlatNode)

    static func integer(_ value: some FixedWidthInteger) -> FlatField { .scalar(value.littleEndianBytes) }
    static func float(_ value: Float) -> FlatField { .integer(value.bitPattern) }
    static func string(_ text: String) -> FlatField { .node(.string(text)) }
    static func tables(_ tables: [[Int: FlatField]]) -> FlatField { .node(.nodes(tables.map(FlatNode.table))) }

    fileprivate var width: Int {
        switch self {
        case .scalar(let bytes): bytes.count
        case .node: 4
        }
    }
}

extension FixedWidthInteger {
    var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian) { [UInt8]($0) } }
}

/// Writes a tree of nodes as a flatbuffer.
struct FlatBufferBuilder {
    private(set) var bytes: [UInt8] = []

    static func build(_ root: FlatNode, identifier: String) -> [UInt8] {
        var builder = FlatBufferBuilder()
        builder.bytes = [0, 0, 0, 0] + Array(identifier.utf8)
        builder.write(root, slot: 0)
        return builder.bytes
    }

    /// Writes `node` at the end and its offset into `slot`.
    private mutating func write(_ node: FlatNode, slot: Int) {
        let position: Int
        switch node {
        case .table(let fields):
            position = writeTable(fields, slot: slot)
            return
        case .string(let text):
            position = start(alignment: 4, before: 0)
            bytes += UInt32(text.utf8.count).littleEndianBytes + text.utf8 + [0]
        case .scalars(let values, let width):
            position = start(alignment: max(width, 4), before: 4)
            bytes += UInt32(values.count / width).littleEndianBytes + values
        case .nodes(let nodes):
            position = start(alignment: 4, before: 0)
            bytes += UInt32(nodes.count).littleEndianBytes + [UInt8](repeating: 0, count: 4 * nodes.count)
            for (index, child) in nodes.enumerated() { write(child, slot: position + 4 + 4 * index) }
        }
        patch(slot, UInt32(position - slot))
    }

    private mutating func writeTable(_ fields: [Int: FlatField], slot: Int) -> Int {
        // Widest first, so that every field is aligned without gaps after the 8 bytes of offset and padding.
        let order = fields.sorted { ($1.value.width, $0.key) < ($0.value.width, $1.key) }
        var offsets: [Int: Int] = [:]
        var size = 8
        for (id, field) in order {
            offsets[id] = size
            size += field.width
        }
        let slots = (fields.keys.max() ?? -1) + 1
        let vtable = start(alignment: 8, before: 4 + 2 * slots)
        bytes += UInt16(4 + 2 * slots).littleEndianBytes + UInt16(size).littleEndianBytes
        for id in 0..<slots { bytes += UInt16(offsets[id] ?? 0).littleEndianBytes }
        let table = bytes.count
        bytes += Int32(table - vtable).littleEndianBytes + [0, 0, 0, 0]
        for (_, field) in order {
            if case .scalar(let value) = field { bytes += value } else { bytes += [0, 0, 0, 0] }
        }
        patch(slot, UInt32(table - slot))
        for (id, field) in order {
            if case .node(let child) = field { write(child, slot: table + offsets[id, default: 0]) }
        }
        return table
    }

    /// Pads so that what comes `before` bytes later is aligned; returns the position.
    private mutating func start(alignment: Int, before: Int) -> Int {
        while !(bytes.count + before).isMultiple(of: alignment) { bytes.append(0) }
        return bytes.count
    }

    private mutating func patch(_ slot: Int, _ value: UInt32) {
        bytes.replaceSubrange(slot..<slot + 4, with: value.littleEndianBytes)
    }
}

/// The options of a custom operator in FlexBuffers coding; everything is 4 bytes wide.
enum FlexBufferBuilder {
    enum Value {
        case integer(Int32)
        case float(Float)
        /// Something that is not a number, and points to the keys.
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
