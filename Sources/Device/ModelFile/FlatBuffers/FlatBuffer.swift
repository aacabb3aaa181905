/// A flatbuffer inside a file's bytes. Every access is checked against the buffer's range. Integers are little-endian
/// and need no alignment. Positions count from the start of the file.
struct FlatBuffer {
    let bytes: ModelBytes
    /// The buffer's range in the file, always inside the file.
    let range: Range<Int>
    /// The buffer's name in error texts: "the model", "the model's metadata".
    let name: String
    let budget: ReadingBudget
    /// Whether reading fails where the reader would pass over something: fields that it does not know, and texts that
    /// are not UTF-8. Who is to write the buffer again must not lose them.
    var refusesUnknown = false

    /// Whether bytes 4 to 7 are `identifier` (four ASCII letters).
    func hasIdentifier(_ identifier: String) -> Bool {
        guard range.count >= 8 else { return false }
        let start = range.lowerBound + 4
        return bytes.withUnsafeBytes { $0[start..<start + 4].elementsEqual(identifier.utf8) }
    }

    /// The buffer's root table.
    func root(_ kind: String) throws(ModelFileError) -> FlatTable {
        try FlatTable(self, at: target(ofOffsetAt: range.lowerBound, kind), kind)
    }

    /// The integer of type `Value` at `position`.
    func load<Value: FixedWidthInteger>(
        _ type: Value.Type, at position: Int, _ what: String
    ) throws(ModelFileError) -> Value {
        try requireRange(position, MemoryLayout<Value>.size, what)
        return Value(littleEndian: bytes.baseAddress.loadUnaligned(fromByteOffset: position, as: Value.self))
    }

    /// The target of the 32-bit forward offset that is stored at `position`.
    func target(ofOffsetAt position: Int, _ what: String) throws(ModelFileError) -> Int {
        let offset = Int(try load(UInt32.self, at: position, what))
        // No overflow: both are below 2^33, and Swift's `Int` has 64 bits on all supported platforms.
        let target = position + offset
        guard offset > 0, target < range.upperBound else { throw damaged(what) }
        return target
    }

    /// Rejects `count` bytes from `position` that are not inside the buffer.
    func requireRange(_ position: Int, _ count: Int, _ what: String) throws(ModelFileError) {
        guard position >= range.lowerBound, count >= 0, position <= range.upperBound,
            count <= range.upperBound - position
        else { throw damaged(what) }
    }

    func damaged(_ what: String) -> ModelFileError {
        ModelFileError(.malformed, "\(name) is damaged or cut short: the \(what) points outside of it")
    }

    func unknown(_ what: String) -> ModelFileError {
        ModelFileError(.unsupported, "\(name) cannot be changed, because that would lose \(what)")
    }
}
