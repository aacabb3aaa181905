/// How the values of a sparse constant are stored: as a tree with one level for each dimension, blocks last, whose
/// leaves are the values in file order.
package struct Sparsity: Sendable, Equatable {
    /// The dimension of each level. Blocks have the numbers after the tensor's dimensions. nil where the file has none.
    package var traversalOrder: [Int]?
    /// The dimension that each block divides.
    package var blockMap: [Int]
    /// One for each level; nil where the file has none.
    package var levels: [Level]?

    package enum Level: Sendable, Equatable {
        /// Every index below the number is present.
        case dense(Int)
        /// For each node of the level above, the begin and end of its indices; and the indices.
        case compressed(segments: Numbers, indices: Numbers)
        /// A kind that the format does not define, or one without its list.
        case unknown
    }

    /// A list of numbers that stays in the file, because there may be one number for each value.
    package struct Numbers: Sendable, Equatable {
        package var range: Range<Int>
        /// The bytes of a number: 4 with a sign, 2 and 1 without.
        package var width: Int

        package var count: Int { range.count / width }
    }
}

extension Sparsity {
    // The widths of a list's numbers, by the format's number for their type.
    private static let widths: [UInt8: Int] = [1: 4, 2: 2, 3: 1]

    init(_ table: FlatTable) throws(ModelFileError) {
        traversalOrder = try table.integers(0, of: Int32.self, "order of sparse dimensions")?.map(Int.init)
        blockMap = try table.integers(1, of: Int32.self, "list of sparse blocks")?.map(Int.init) ?? []
        let tables = try table.tables(2, "sparse dimension")
        levels = tables.isEmpty ? nil : try tables.map(Self.level)
    }

    private static func level(_ table: FlatTable) throws(ModelFileError) -> Level {
        let kind: Int8 = try table.integer(0)
        if kind == 0 {
            let size: Int32 = try table.integer(1)
            return .dense(Int(size))
        }
        guard kind == 1, let segments = try numbers(table, 2), let indices = try numbers(table, 4) else {
            return .unknown
        }
        return .compressed(segments: segments, indices: indices)
    }

    /// Field `id` is the type's number; the field after it is the table with the list.
    private static func numbers(_ table: FlatTable, _ id: Int) throws(ModelFileError) -> Numbers? {
        guard let width = widths[try table.integer(id)],
            let place = try table.table(id + 1, "list of sparse indices")?
                .elementRange(0, width: width, "list of sparse indices")
        else { return nil }
        return Numbers(range: place, width: width)
    }
}

extension Sparsity.Numbers {
    /// Whether `isGood` holds for each number and the number before it, which is nil for the first.
    func allSatisfy(in bytes: ModelBytes, _ isGood: (_ before: Int?, _ number: Int) -> Bool) -> Bool {
        bytes.withUnsafeBytes { all in
            var before: Int?
            for position in stride(from: range.lowerBound, to: range.upperBound, by: width) {
                let number = load(at: position, all)
                guard isGood(before, number) else { return false }
                before = number
            }
            return true
        }
    }

    /// nil for an empty list.
    func last(in bytes: ModelBytes) -> Int? {
        range.isEmpty ? nil : bytes.withUnsafeBytes { load(at: range.upperBound - width, $0) }
    }

    private func load(at position: Int, _ bytes: UnsafeRawBufferPointer) -> Int {
        switch width {
        case 1: Int(bytes[position])
        case 2: Int(UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt16.self)))
        default: Int(Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: Int32.self)))
        }
    }
}
