/// One table of a flatbuffer. Fields are read by their id; an absent field returns nil or the default.
struct FlatTable {
    private let buffer: FlatBuffer
    private let position: Int
    private let size: Int
    private let vtable: Int
    private let fieldCount: Int
    /// The table's name in error texts: "tensor", "operator".
    private let kind: String

    init(_ buffer: FlatBuffer, at position: Int, _ kind: String) throws(ModelFileError) {
        try buffer.budget.spendTable()
        // A table starts with the signed distance back to its vtable. The vtable has its own size, the table's size,
        // and the offsets of the fields, in bytes.
        let vtable = position - Int(try buffer.load(Int32.self, at: position, kind))
        let vtableSize = Int(try buffer.load(UInt16.self, at: vtable, kind))
        guard vtableSize >= 4, vtableSize.isMultiple(of: 2) else { throw buffer.damaged(kind) }
        try buffer.requireRange(vtable, vtableSize, kind)
        size = Int(try buffer.load(UInt16.self, at: vtable + 2, kind))
        guard size >= 4 else { throw buffer.damaged(kind) }
        try buffer.requireRange(position, size, kind)
        self.buffer = buffer
        self.position = position
        self.vtable = vtable
        self.kind = kind
        fieldCount = (vtableSize - 4) / 2
    }

    // MARK: Unknown content

    /// Whether reading fails where this reader would pass over something.
    var refusesUnknown: Bool { buffer.refusesUnknown }

    /// Refuses fields from the number `count` up, if the buffer is to be read without loss.
    func requireKnown(fields count: Int) throws(ModelFileError) {
        guard buffer.refusesUnknown else { return }
        for id in count..<max(count, fieldCount) where try field(id, 0) != nil {
            throw buffer.unknown("field \(id) of a table (\(kind)), which Hearth does not keep")
        }
    }

    func unknown(_ what: String) -> ModelFileError { buffer.unknown(what) }

    // MARK: Scalars

    func integer<Value: FixedWidthInteger>(_ id: Int, default value: Value = 0) throws(ModelFileError) -> Value {
        guard let field = try field(id, MemoryLayout<Value>.size) else { return value }
        return try buffer.load(Value.self, at: field, kind)
    }

    func bool(_ id: Int) throws(ModelFileError) -> Bool {
        try integer(id, default: UInt8(0)) != 0
    }

    func float(_ id: Int, default value: Float) throws(ModelFileError) -> Float {
        Float(bitPattern: try integer(id, default: value.bitPattern))
    }

    // MARK: References

    func table(_ id: Int, _ kind: String) throws(ModelFileError) -> FlatTable? {
        guard let field = try field(id, 4) else { return nil }
        return try FlatTable(buffer, at: buffer.target(ofOffsetAt: field, kind), kind)
    }

    /// The tables of a vector; empty when the field is absent.
    func tables(_ id: Int, _ kind: String) throws(ModelFileError) -> [FlatTable] {
        guard let slots = try vector(id, stride: 4, kind) else { return [] }
        var tables: [FlatTable] = []
        for slot in stride(from: slots.lowerBound, to: slots.upperBound, by: 4) {
            tables.append(try FlatTable(buffer, at: buffer.target(ofOffsetAt: slot, kind), kind))
        }
        return tables
    }

    /// A text. Bytes that are not UTF-8 are replaced.
    func string(_ id: Int, _ kind: String) throws(ModelFileError) -> String? {
        guard let field = try field(id, 4) else { return nil }
        return try string(at: buffer.target(ofOffsetAt: field, kind), kind)
    }

    func strings(_ id: Int, _ kind: String) throws(ModelFileError) -> [String] {
        guard let slots = try vector(id, stride: 4, kind) else { return [] }
        var strings: [String] = []
        for slot in stride(from: slots.lowerBound, to: slots.upperBound, by: 4) {
            strings.append(try string(at: buffer.target(ofOffsetAt: slot, kind), kind))
        }
        return strings
    }

    /// The range of a byte vector's bytes in the file; they are not copied.
    func byteRange(_ id: Int, _ kind: String) throws(ModelFileError) -> Range<Int>? {
        try vector(id, stride: 1, kind)
    }

    /// The integers of a vector; nil when the field is absent.
    func integers<Value: FixedWidthInteger>(
        _ id: Int, of type: Value.Type, _ kind: String
    ) throws(ModelFileError) -> [Value]? {
        let width = MemoryLayout<Value>.size
        guard let place = try vector(id, stride: width, kind) else { return nil }
        try buffer.budget.spend(bytes: place.count)
        var values: [Value] = []
        values.reserveCapacity(place.count / width)
        for position in stride(from: place.lowerBound, to: place.upperBound, by: width) {
            values.append(try buffer.load(type, at: position, kind))
        }
        return values
    }

    /// The range of a vector's elements in the file, each `width` bytes wide; they are not copied.
    func elementRange(_ id: Int, width: Int, _ kind: String) throws(ModelFileError) -> Range<Int>? {
        try vector(id, stride: width, kind)
    }

    func floats(_ id: Int, _ kind: String) throws(ModelFileError) -> [Float]? {
        try integers(id, of: UInt32.self, kind)?.map { Float(bitPattern: $0) }
    }

    // MARK: Places

    /// The position of a field's `width` inline bytes; nil when the table lacks the field.
    func fieldPosition(_ id: Int, width: Int) throws(ModelFileError) -> Int? {
        try field(id, width)
    }

    /// The position of the table, vector or string that a field refers to; its contents are not checked.
    func target(_ id: Int) throws(ModelFileError) -> Int? {
        guard let field = try field(id, 4) else { return nil }
        return try buffer.target(ofOffsetAt: field, kind)
    }

    /// The positions of a vector's tables; empty when the field is absent.
    func targets(_ id: Int, _ kind: String) throws(ModelFileError) -> [Int] {
        guard let slots = try vector(id, stride: 4, kind) else { return [] }
        var targets: [Int] = []
        targets.reserveCapacity(slots.count / 4)
        for slot in stride(from: slots.lowerBound, to: slots.upperBound, by: 4) {
            targets.append(try buffer.target(ofOffsetAt: slot, kind))
        }
        return targets
    }

    // MARK: Layout

    /// The position of the field's inline bytes; nil when the table lacks the field.
    private func field(_ id: Int, _ width: Int) throws(ModelFileError) -> Int? {
        guard id < fieldCount else { return nil }
        let offset = Int(try buffer.load(UInt16.self, at: vtable + 4 + 2 * id, kind))
        guard offset != 0 else { return nil }
        guard offset >= 4, offset + width <= size else { throw buffer.damaged(kind) }
        return position + offset
    }

    /// The range of a vector's elements, after its 32-bit count.
    private func vector(_ id: Int, stride: Int, _ kind: String) throws(ModelFileError) -> Range<Int>? {
        guard let field = try field(id, 4) else { return nil }
        return try elements(at: buffer.target(ofOffsetAt: field, kind), stride: stride, kind)
    }

    private func elements(at position: Int, stride: Int, _ kind: String) throws(ModelFileError) -> Range<Int> {
        let count = Int(try buffer.load(UInt32.self, at: position, kind))
        try buffer.requireRange(position + 4, count * stride, kind)
        return position + 4..<position + 4 + count * stride
    }

    private func string(at position: Int, _ kind: String) throws(ModelFileError) -> String {
        let place = try elements(at: position, stride: 1, kind)
        try buffer.budget.spend(bytes: place.count)
        // Engines read names as C strings, so the terminator is checked.
        guard try buffer.load(UInt8.self, at: place.upperBound, kind) == 0 else { throw buffer.damaged(kind) }
        let text = buffer.bytes.withUnsafeBytes { String(validating: $0[place], as: UTF8.self) }
        if let text { return text }
        guard !buffer.refusesUnknown else { throw buffer.unknown("a text (\(kind)) that is not UTF-8") }
        return buffer.bytes.withUnsafeBytes { String(decoding: $0[place], as: UTF8.self) }
    }
}
