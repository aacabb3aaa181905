/// Finds the subgraphs that an operator runs: a loop's condition and body, a branch's sides, a composite's parts.
enum CalledSubgraphs {
    /// Which fields of an options table hold subgraph numbers.
    private enum Fields {
        case numbers([Int])
        case vector(Int)
    }

    // By the options union's type number, one table for each of the two unions.
    private static let options: [UInt8: Fields] = [
        16: .numbers([0]), 92: .numbers([0, 1]), 93: .numbers([0, 1]), 103: .numbers([0]),
    ]
    private static let options2: [UInt8: Fields] = [
        5: .vector(4), 6: .numbers([1]), 7: .numbers([6]), 13: .numbers([5]), 14: .numbers([2]), 15: .numbers([0, 1]),
        21: .numbers([1]), 23: .vector(0),
    ]

    /// Engines take 0 for the subgraphs of these operators when the options are absent.
    private static let alwaysCalling = BuiltinOperator.numbers(
        "CALL", "IF", "WHILE", "CALL_ONCE", "STABLEHLO_WHILE", "STABLEHLO_COMPOSITE")

    static func read(_ operator: FlatTable, code: Int) throws(ModelFileError) -> [Int] {
        let called =
            try numbers(`operator`, union: 3, options) + numbers(`operator`, union: 11, options2)
        return called.isEmpty && alwaysCalling.contains(code) ? [0] : called
    }

    /// The union's type number is field `union`, its table the field after it.
    private static func numbers(
        _ operator: FlatTable, union: Int, _ known: [UInt8: Fields]
    ) throws(ModelFileError) -> [Int] {
        guard let fields = known[try `operator`.integer(union)],
            let table = try `operator`.table(union + 1, "operator's options")
        else { return [] }
        switch fields {
        case .vector(let id):
            return try table.integers(id, of: Int32.self, "list of called subgraphs")?.map(Int.init) ?? []
        case .numbers(let ids):
            return try ids.map { id throws(ModelFileError) in
                let number: Int32 = try table.integer(id)
                return Int(number)
            }
        }
    }
}
