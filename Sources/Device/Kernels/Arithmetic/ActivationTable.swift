import Synchronization

/// A function of 16-bit numbers, looked up: all 65,536 results were computed once.
struct ActivationTable: Sendable {
    /// Sigmoid of numbers with 3 integer bits.
    static let sigmoid = ActivationTable(FixedPointFunctions.sigmoid)
    /// Tanh of numbers with 3 integer bits.
    static let tanh = tanh(integerBits: 3)

    /// By the argument's bit pattern.
    private let results: [Int16]

    /// Tanh of numbers with `integerBits` (0 to 6), computed when it is first asked for and kept: 128 KiB each.
    static func tanh(integerBits: Int) -> ActivationTable {
        tanhTables.withLock { tables in
            if let table = tables[integerBits] { return table }
            let table = ActivationTable { FixedPointFunctions.tanh($0, integerBits: integerBits) }
            tables[integerBits] = table
            return table
        }
    }

    private static let tanhTables = Mutex<[Int: ActivationTable]>([:])

    private init(_ function: (Int16) -> Int16) {
        results = [Int16](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
            count = 1 << 16
            for index in 0..<count { buffer[index] = function(Int16(truncatingIfNeeded: index)) }
        }
    }

    /// Writes the results of `count` values, perhaps in their own place.
    func apply(
        _ values: UnsafePointer<Int16>, _ count: Int, to target: UnsafeMutablePointer<Int16>
    ) {
        results.withUnsafeBufferPointer { results in
            for index in 0..<count { target[index] = results[Int(UInt16(bitPattern: values[index]))] }
        }
    }
}
