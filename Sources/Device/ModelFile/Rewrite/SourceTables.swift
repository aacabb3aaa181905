/// The positions of a model file's tables, for a rewrite that keeps them. Field numbers are those of the format's
/// schema.
struct SourceTables {
    let model: FlatTable
    /// Positions of the operator codes.
    let codes: [Int]
    /// Positions of the buffers.
    let buffers: [Int]
    /// Positions of the entries that name blocks of metadata.
    let metadata: [Int]
    let subgraphs: [Subgraph]
    private let file: FlatBuffer

    struct Subgraph {
        let position: Int
        let table: FlatTable
        /// Positions of the tensors.
        let tensors: [Int]
        /// Positions of the operators.
        let operators: [Int]
    }

    init(_ bytes: ModelBytes) throws(ModelFileError) {
        // The parser has already read the file within a budget, so the length of its lists is acceptable.
        let budget = ReadingBudget(tables: .max, bytes: .max)
        let file = FlatBuffer(bytes: bytes, range: 0..<bytes.count, name: "the model", budget: budget)
        self.file = file
        model = try file.root("model")
        codes = try model.targets(1, "operator code")
        buffers = try model.targets(4, "buffer")
        metadata = try model.targets(6, "metadata")
        subgraphs = try model.targets(2, "subgraph").map { position throws(ModelFileError) in
            let table = try FlatTable(file, at: position, "subgraph")
            return Subgraph(
                position: position, table: table, tensors: try table.targets(0, "tensor"),
                operators: try table.targets(3, "operator"))
        }
    }

    func tensor(_ number: Int, inSubgraph subgraph: Int) throws(ModelFileError) -> FlatTable {
        try FlatTable(file, at: subgraphs[subgraph].tensors[number], "tensor")
    }

    func operation(_ number: Int, inSubgraph subgraph: Int) throws(ModelFileError) -> FlatTable {
        try FlatTable(file, at: subgraphs[subgraph].operators[number], "operator")
    }

    func metadataName(at position: Int) throws(ModelFileError) -> String {
        try FlatTable(file, at: position, "metadata").string(0, "metadata name") ?? ""
    }

    /// The numbers in the file that count from its first byte, by position. (All others are distances.)
    func absoluteOffsets() throws(ModelFileError) -> [Int: UInt64] {
        var offsets: [Int: UInt64] = [:]
        for position in buffers {
            try Self.collect(FlatTable(file, at: position, "buffer"), offset: 1, size: 2, file, &offsets)
        }
        for position in Set(subgraphs.flatMap(\.operators)) {
            try Self.collect(FlatTable(file, at: position, "operator"), offset: 9, size: 10, file, &offsets)
        }
        return offsets
    }

    /// - Parameters:
    ///   - offset: The id of the field with the offset; 0 and 1 mean that there is none.
    ///   - size: The id of the field with the number of bytes there.
    private static func collect(
        _ table: FlatTable, offset: Int, size: Int, _ file: FlatBuffer, _ offsets: inout [Int: UInt64]
    ) throws(ModelFileError) {
        let start: UInt64 = try table.integer(offset)
        let count: UInt64 = try table.integer(size)
        guard start > 1, let place = try table.fieldPosition(offset, width: 8) else { return }
        let fileCount = UInt64(file.range.count)
        guard start <= fileCount, count <= fileCount - start else {
            throw ModelFileError(.malformed, "the model is cut short: a block of bytes is beyond its end")
        }
        offsets[place] = start
    }
}
