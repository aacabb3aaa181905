/// How an operator that keeps state computes: LSTM, RNN, SVDF and their sequence forms. Fields that the operator's
/// options lack keep their defaults.
package struct RecurrentOptions: Sendable, Equatable {
    /// The number of the fused activation in the file format: 0 none, 1 ReLU, 2 ReLU to ±1, 3 ReLU6, 4 tanh, 5 sign
    /// bit.
    package var activation = 0
    /// The largest magnitude of the cell state; 0 for no limit.
    package var cellClip: Float = 0
    /// The largest magnitude of the projected output; 0 for no limit.
    package var projectionClip: Float = 0
    /// Whether the first dimension of the input is time instead of batch.
    package var isTimeMajor = false
    /// Whether float inputs are quantized with a zero point before they are multiplied by integer weights.
    package var quantizesAsymmetrically = false
    /// Whether an LSTM is of the old kind with 5 inputs and 4 outputs.
    package var isBasicKernel = false
    /// Whether recurrent weights are vectors that represent diagonal matrices.
    package var hasDiagonalRecurrence = false
    /// How many filters form one unit of an SVDF.
    package var rank = 0

    package init() {}
}

extension RecurrentOptions {
    /// The kinds of options tables, with their numbers in the options union.
    private enum Kind: UInt8 {
        case svdf = 6
        case rnn = 7
        case lstm = 14
        case sequenceRNN = 31
        case sequenceLSTM = 71
    }

    private static let kinds: [Int: Kind] = [16: .lstm, 24: .rnn, 27: .svdf, 35: .sequenceRNN, 44: .sequenceLSTM]

    static func read(_ operator: FlatTable, code: Int) throws(ModelFileError) -> RecurrentOptions? {
        let type: UInt8 = try `operator`.integer(3)
        guard let kind = kinds[code], kind.rawValue == type,
            let table = try `operator`.table(4, "operator's options")
        else { return nil }
        return try RecurrentOptions(kind, table)
    }

    private init(_ kind: Kind, _ table: FlatTable) throws(ModelFileError) {
        switch kind {
        case .rnn:
            activation = try Self.activation(table, 0)
            quantizesAsymmetrically = try table.bool(1)
        case .sequenceRNN:
            isTimeMajor = try table.bool(0)
            activation = try Self.activation(table, 1)
            quantizesAsymmetrically = try table.bool(2)
        case .svdf:
            let rank: Int32 = try table.integer(0)
            self.rank = Int(rank)
            activation = try Self.activation(table, 1)
            quantizesAsymmetrically = try table.bool(2)
        case .lstm:
            try readGates(table)
            isBasicKernel = try table.bool(3)
            quantizesAsymmetrically = try table.bool(4)
        case .sequenceLSTM:
            try readGates(table)
            isTimeMajor = try table.bool(3)
            quantizesAsymmetrically = try table.bool(4)
            hasDiagonalRecurrence = try table.bool(5)
        }
    }

    private mutating func readGates(_ table: FlatTable) throws(ModelFileError) {
        activation = try Self.activation(table, 0)
        cellClip = try table.float(1, default: 0)
        projectionClip = try table.float(2, default: 0)
    }

    private static func activation(_ table: FlatTable, _ id: Int) throws(ModelFileError) -> Int {
        let number: Int8 = try table.integer(id)
        return Int(number)
    }
}

/// How a `STRIDED_SLICE` reads its begins and ends; each mask has one bit for each dimension.
package struct SliceOptions: Sendable, Equatable {
    package var beginMask: Int
    package var endMask: Int
    package var ellipsisMask: Int
    package var newAxisMask: Int
    package var shrinkMask: Int
    /// Whether ends are relative to their begin instead of the start of the dimension.
    package var endsAreOffsets: Bool
}

extension SliceOptions {
    private static let slice = BuiltinOperator.codes("STRIDED_SLICE")
    private static let kind: UInt8 = 32

    /// nil for other operators, and where the options are absent.
    static func read(_ operator: FlatTable, code: Int) throws(ModelFileError) -> SliceOptions? {
        guard slice.contains(code), try `operator`.integer(3) == kind,
            let options = try `operator`.table(4, "operator's options")
        else { return nil }
        let masks = try [0, 1, 2, 3, 4].map { id throws(ModelFileError) in
            let mask: Int32 = try options.integer(id)
            return Int(mask)
        }
        return SliceOptions(
            beginMask: masks[0], endMask: masks[1], ellipsisMask: masks[2], newAxisMask: masks[3], shrinkMask: masks[4],
            endsAreOffsets: try options.bool(5))
    }
}

/// What decides over the number of dimensions of a result: of `RESHAPE`, `SQUEEZE`, `GATHER` and the reductions.
package struct RankOptions: Sendable, Equatable {
    /// The number of sizes in the options of `RESHAPE`.
    package var newShapeCount = 0
    package var squeezedDimensions: [Int] = []
    package var batchDimensions = 0
    /// Whether a reduction leaves dimensions of size 1.
    package var keepsDimensions = false
}

extension RankOptions {
    private enum Kind: UInt8 {
        case reshape = 17
        case gather = 23
        case reducer = 27
        case squeeze = 30
    }

    private static let kinds: [Int: Kind] = {
        var kinds: [Int: Kind] = [:]
        for code in BuiltinOperator.codes("RESHAPE") { kinds[code] = .reshape }
        for code in BuiltinOperator.codes("GATHER") { kinds[code] = .gather }
        for code in BuiltinOperator.codes("SQUEEZE") { kinds[code] = .squeeze }
        for code in BuiltinOperator.codes(
            "MEAN", "REDUCE_ALL", "REDUCE_ANY", "REDUCE_MAX", "REDUCE_MIN", "REDUCE_PROD", "SUM")
        {
            kinds[code] = .reducer
        }
        return kinds
    }()

    /// nil for other operators, and where the options are absent.
    static func read(_ operator: FlatTable, code: Int) throws(ModelFileError) -> RankOptions? {
        let type: UInt8 = try `operator`.integer(3)
        guard let kind = kinds[code], kind.rawValue == type,
            let table = try `operator`.table(4, "operator's options")
        else { return nil }
        var options = RankOptions()
        switch kind {
        case .reshape: options.newShapeCount = try table.integers(0, of: Int32.self, "list of sizes")?.count ?? 0
        case .gather:
            let count: Int32 = try table.integer(1)
            options.batchDimensions = Int(count)
        case .reducer: options.keepsDimensions = try table.bool(0)
        case .squeeze:
            options.squeezedDimensions =
                try table.integers(0, of: Int32.self, "list of dimensions")?.map(Int.init) ?? []
        }
        return options
    }
}

/// Finds the subgraphs that an operator runs: a loop's condition and body, a branch's sides, a composite's parts.
enum CalledSubgraphs {
    /// The fields of an options table that hold subgraph numbers.
    private enum Fields {
        case numbers([Int])
        case vector(Int)
    }

    // By the type number in the options union; there is one table for each of the two unions.
    private static let options: [UInt8: Fields] = [
        16: .numbers([0]), 92: .numbers([0, 1]), 93: .numbers([0, 1]), 103: .numbers([0]),
    ]
    private static let options2: [UInt8: Fields] = [
        5: .vector(4), 6: .numbers([1]), 7: .numbers([6]), 13: .numbers([5]), 14: .numbers([2]), 15: .numbers([0, 1]),
        21: .numbers([1]), 23: .vector(0),
    ]

    /// Engines use subgraph 0 for these operators when the options are absent.
    private static let alwaysCalling = BuiltinOperator.codes(
        "CALL", "IF", "WHILE", "CALL_ONCE", "STABLEHLO_WHILE", "STABLEHLO_COMPOSITE")

    static func read(_ operator: FlatTable, code: Int) throws(ModelFileError) -> [Int] {
        let called =
            try numbers(`operator`, union: 3, options) + numbers(`operator`, union: 11, options2)
        return called.isEmpty && alwaysCalling.contains(code) ? [0] : called
    }

    /// Field `union` is the union's type number; the field after it is its table.
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
