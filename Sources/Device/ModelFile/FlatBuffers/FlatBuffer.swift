/// A flatbuffer inside a file's bytes. Every access is checked against the buffer's range; integers are little-endian
/// and may lie at any address. Positions count from the start of the file.
struct FlatBuffer {
    let bytes: ModelBytes
    /// Where the buffer lies in the file. Never reaches beyond it.
    let range: Range<Int>
    /// How error texts call the buffer: "the model", "the model's metadata".
    let name: String
    let budget: ReadingBudget

    /// Whether `identifier` (four ASCII letters) stands at bytes 4 to 7.
    func hasIdentifier(_ identifier: String) -> Bool {
        guard range.count >= 8 else { return false }
        let start = range.lowerBound + 4
        return bytes.withUnsafeBytes { $0[start..<start + 4].elementsEqual(identifier.utf8) }
    }

    /// The table that the buffer begins with.
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

    /// Where the 32-bit forward offset stored at `position` points.
    func target(ofOffsetAt position: Int, _ what: String) throws(ModelFileError) -> Int {
        let offset = Int(try load(UInt32.self, at: position, what))
        // No overflow: both are below 2^33 on the 64-bit platforms that Swift's Int has here.
        let target = position + offset
        guard offset > 0, target < range.upperBound else { throw damaged(what) }
        return target
    }

    /// Refuses `count` bytes from `position` that do not lie within the buffer.
    func requireRange(_ position: Int, _ count: Int, _ what: String) throws(ModelFileError) {
        guard position >= range.lowerBound, count >= 0, position <= range.upperBound,
            count <= range.upperBound - position
        else { throw damaged(what) }
    }

    func damaged(_ what: String) -> ModelFileError {
        ModelFileError(.malformed, "\(name) is damaged or cut short: the \(what) points outside of it")
    }
}

/// How much may be read out of one flatbuffer. Tables and vectors can be referred to many times over, so a small file
/// can describe a huge structure; reading stops when the budget is spent.
final class ReadingBudget {
    static let defaultTables = 1_000_000
    static let defaultBytes = 64 << 20

    private var tables: Int
    private var bytes: Int

    /// - Parameters:
    ///   - tables: visits to tables, repeated ones included.
    ///   - bytes: bytes copied out of vectors and strings.
    init(tables: Int = defaultTables, bytes: Int = defaultBytes) {
        self.tables = tables
        self.bytes = bytes
    }

    func spendTable() throws(ModelFileError) {
        guard tables > 0 else { throw ModelFileError(.tooLarge, "the file describes too many objects to be a model") }
        tables -= 1
    }

    func spend(bytes count: Int) throws(ModelFileError) {
        guard count <= bytes else {
            throw ModelFileError(.tooLarge, "the file's names and lists are too long to be a model's")
        }
        bytes -= count
    }
}
