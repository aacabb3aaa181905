/// Limits how much is read from one flatbuffer. Tables and vectors can be referred to many times, so a small file can
/// describe a huge structure. Reading fails when the budget is spent.
final class ReadingBudget {
    static let defaultTables = 1_000_000
    static let defaultBytes = 64 << 20

    private var tables: Int
    private var bytes: Int

    /// - Parameters:
    ///   - tables: The number of visits to tables, including repeated ones.
    ///   - bytes: The number of bytes copied from vectors and strings.
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
            throw ModelFileError(.tooLarge, "the file's names and lists are longer than those of any model")
        }
        bytes -= count
    }
}
