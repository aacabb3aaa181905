import HearthConcurrency

/// A function of 16-bit numbers as a table of all 65,536 results, computed once.
struct ActivationTable: Sendable {
    /// Sigmoid of numbers with 3 integer bits.
    static let sigmoid = ActivationTable(FixedPointFunctions.sigmoid)
    /// Tanh of numbers with 3 integer bits.
    static let tanh = tanh(integerBits: 3)

    /// Indexed by the argument's bit pattern.
    private let results: [Int16]

    /// Tanh of numbers with `integerBits` (0 to 6). Each table is computed at first use and kept; it takes 128 KiB.
    static func tanh(integerBits: Int) -> ActivationTable {
        tanhTables.withLock { tables in
            if let table = tables[integerBits] { return table }
            let table = ActivationTable { FixedPointFunctions.tanh($0, integerBits: integerBits) }
            tables[integerBits] = table
            return table
        }
    }

    private static let tanhTables = Lock<[Int: ActivationTable]>([:])

    private init(_ function: (Int16) -> Int16) {
        results = [Int16](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
            count = 1 << 16
            for index in 0..<count { buffer[index] = function(Int16(truncatingIfNeeded: index)) }
        }
    }

    /// Writes the results for `count` values to `target`, which may be the same memory.
    func apply(
        _ values: UnsafePointer<Int16>, _ count: Int, to target: UnsafeMutablePointer<Int16>
    ) {
        results.withUnsafeBufferPointer { results in
            for index in 0..<count { target[index] = results[Int(UInt16(bitPattern: values[index]))] }
        }
    }
}
