/// Parses the model flatbuffer into a ``ModelGraph``. Field numbers are those of the format's schema, version 3.
struct ModelGraphParser {
    private let model: FlatTable
    private let bytes: ModelBytes
    private let buffers: [Range<Int>?]
    private let codes: [OperatorCode]

    private struct OperatorCode {
        let builtin: Int
        let name: String
        let version: Int
    }

    /// The options' types of SPLIT and SPLIT_V, by operator.
    private static let splitOptions: [Int: UInt8] = [49: 35, 102: 79]
    private static let poolings = BuiltinOperator.codes("AVERAGE_POOL_2D", "L2_POOL_2D", "MAX_POOL_2D")
    private static let poolingOptions: UInt8 = 5
    /// The kind of a quantization's details that states blocks.
    private static let blockDetails: UInt8 = 2

    /// The options' type of STABLEHLO_SCATTER and STABLEHLO_GATHER, and their fields with numbers and with lists.
    private static let listOptions: [Int: (kind: UInt8, numbers: [Int], lists: [Int])] = [
        BuiltinOperator.codes("STABLEHLO_SCATTER").first!: (7, [4], [1, 2, 3]),
        BuiltinOperator.codes("STABLEHLO_GATHER").first!: (16, [3], [0, 1, 2, 4]),
    ]

    static func parse(_ bytes: ModelBytes, budget: ReadingBudget = ReadingBudget()) throws(ModelFileError) -> ModelGraph
    {
        let buffer = FlatBuffer(bytes: bytes, range: 0..<bytes.count, name: "the model", budget: budget)
        guard buffer.hasIdentifier("TFL3") else { throw notAModel(bytes) }
        let model = try buffer.root("model")
        let version: UInt32 = try model.integer(0)
        guard version == 3 else {
            throw ModelFileError(
                .unsupported, "the model has format version \(version); only version 3 is read, export it again")
        }
        return try ModelGraphParser(model, bytes).graph()
    }

    private static func notAModel(_ bytes: ModelBytes) -> ModelFileError {
        let reason = bytes.withUnsafeBytes { ForeignFile(firstBytes: $0).text }
        return ModelFileError(.notAModel, "this is not a TensorFlow Lite model: \(reason)")
    }

    private init(_ model: FlatTable, _ bytes: ModelBytes) throws(ModelFileError) {
        self.model = model
        self.bytes = bytes
        codes = try model.tables(1, "operator code").map(Self.operatorCode)
        buffers = try model.tables(4, "buffer").map { table throws(ModelFileError) in
            try Self.bufferRange(table, fileCount: bytes.count)
        }
    }

    private func graph() throws(ModelFileError) -> ModelGraph {
        var graph = ModelGraph()
        for table in try model.tables(2, "subgraph") {
            graph.subgraphs.append(try subgraph(table, number: graph.subgraphs.count))
        }
        graph.metadata = try model.tables(6, "metadata").map(metadata)
        graph.signatures = try model.tables(7, "signature").map(SignatureParser.signature)
        graph.correctSignatures()
        return graph
    }

    // MARK: Model-wide lists

    private static func operatorCode(_ table: FlatTable) throws(ModelFileError) -> OperatorCode {
        let old: Int8 = try table.integer(0)
        let new: Int32 = try table.integer(3)
        // Old files have only the first number. New files repeat it there if it fits, or leave it out.
        let builtin = max(Int(old), Int(new))
        guard old <= 0 || new <= 0 || Int(old) == min(Int(new), 127) else {
            throw ModelFileError(
                .malformed, "the model is damaged: one operator has two numbers, \(old) and \(new)")
        }
        let custom = try table.string(1, "custom operator's name")
        let name =
            builtin == BuiltinOperator.custom
            ? custom ?? "CUSTOM" : BuiltinOperator.name(builtin) ?? "operator \(builtin)"
        return OperatorCode(builtin: builtin, name: name, version: Int(try table.integer(2, default: Int32(1))))
    }

    /// The range of a buffer's bytes: in the table's own vector, or for big models elsewhere in the file.
    private static func bufferRange(_ table: FlatTable, fileCount: Int) throws(ModelFileError) -> Range<Int>? {
        let offset: UInt64 = try table.integer(1)
        // 0 means no offset; 1 is the placeholder that exporters leave.
        guard offset > 1 else { return try table.byteRange(0, "constant") }
        let size: UInt64 = try table.integer(2)
        guard offset <= UInt64(fileCount), size <= UInt64(fileCount) - offset else {
            throw ModelFileError(.malformed, "the model is cut short: a constant is beyond its end")
        }
        return Int(offset)..<Int(offset + size)
    }

    private func metadata(_ table: FlatTable) throws(ModelFileError) -> ModelGraph.MetadataEntry {
        let index: UInt32 = try table.integer(1)
        guard index < buffers.count else {
            throw ModelFileError(.malformed, "the model is damaged: a metadata entry has no buffer \(index)")
        }
        return ModelGraph.MetadataEntry(name: try table.string(0, "metadata name") ?? "", data: buffers[Int(index)])
    }

    // MARK: Subgraphs

    private func subgraph(_ table: FlatTable, number: Int) throws(ModelFileError) -> ModelGraph.Subgraph {
        var tensors: [ModelGraph.Tensor] = []
        for tensorTable in try table.tables(0, "tensor") {
            tensors.append(try tensor(tensorTable, "tensor \(tensors.count) of subgraph \(number)"))
        }
        var operators: [ModelGraph.Operator] = []
        for operatorTable in try table.tables(3, "operator") {
            operators.append(try node(operatorTable, "operator \(operators.count) of subgraph \(number)"))
        }
        return ModelGraph.Subgraph(
            name: try table.string(4, "subgraph name"), tensors: tensors,
            inputs: try indices(table, 1, "list of inputs"), outputs: try indices(table, 2, "list of outputs"),
            operators: operators)
    }

    private func tensor(_ table: FlatTable, _ place: String) throws(ModelFileError) -> ModelGraph.Tensor {
        let buffer: UInt32 = try table.integer(2)
        guard buffer < buffers.count else {
            throw ModelFileError(.malformed, "the model is damaged: \(place) has no buffer \(buffer)")
        }
        let external: UInt32 = try table.integer(10)
        return ModelGraph.Tensor(
            name: try table.string(3, "tensor name"), shape: try indices(table, 0, "shape"),
            shapeSignature: try table.integers(7, of: Int32.self, "shape signature")?.map(Int.init),
            type: ElementType(rawValue: try table.integer(1)), buffer: Int(buffer), data: buffers[Int(buffer)],
            quantization: try table.table(4, "quantization").map(quantization),
            isVariable: try table.bool(5), externalBuffer: Int(external),
            sparsity: try table.table(6, "sparsity").map(Sparsity.init))
    }

    private func quantization(_ table: FlatTable) throws(ModelFileError) -> ModelGraph.Quantization {
        let kind: UInt8 = try table.integer(4)
        let dimension: Int32 = try table.integer(6)
        return ModelGraph.Quantization(
            scales: try table.floats(2, "list of scales") ?? [],
            zeroPoints: try table.integers(3, of: Int64.self, "list of zero points") ?? [],
            dimension: Int(dimension), detailsKind: Int(kind),
            blocks: kind == Self.blockDetails ? try table.table(5, "block-wise quantization").map(blocks) : nil)
    }

    private func blocks(_ table: FlatTable) throws(ModelFileError) -> ModelGraph.Blocks {
        let scales: Int32 = try table.integer(0)
        let size: Int32 = try table.integer(2)
        return ModelGraph.Blocks(scales: Int(scales), size: Int(size))
    }

    private func node(_ table: FlatTable, _ place: String) throws(ModelFileError) -> ModelGraph.Operator {
        let index: UInt32 = try table.integer(0)
        guard index < codes.count else {
            throw ModelFileError(.malformed, "the model is damaged: \(place) has no operator code \(index)")
        }
        let code = codes[Int(index)]
        return ModelGraph.Operator(
            codeIndex: Int(index), builtinCode: code.builtin, name: code.name, version: code.version,
            inputs: try indices(table, 1, "list of inputs"), outputs: try indices(table, 2, "list of outputs"),
            intermediates: try indices(table, 8, "list of intermediates"),
            mutatesInputs: try table.byteRange(7, "list of changed inputs")?.isEmpty == false,
            calledSubgraphs: try CalledSubgraphs.read(table, code: code.builtin),
            splitCount: try splitCount(table, code: code.builtin),
            optionNumbers: try optionNumbers(table, code: code.builtin),
            optionLists: try optionLists(table, code: code.builtin),
            poolingWindow: try poolingWindow(table, code: code.builtin),
            recurrentOptions: try RecurrentOptions.read(table, code: code.builtin),
            sliceOptions: try SliceOptions.read(table, code: code.builtin),
            rankOptions: try RankOptions.read(table, code: code.builtin),
            customOptions: try table.byteRange(5, "operator's options"))
    }

    /// The options of both kinds of split begin with the count; each kind has its own type in the union.
    private func splitCount(_ operator: FlatTable, code: Int) throws(ModelFileError) -> Int? {
        let type: UInt8 = try `operator`.integer(3)
        guard let expected = Self.splitOptions[code], type == expected else { return nil }
        let count: Int32? = try `operator`.table(4, "operator's options")?.integer(0)
        return count.map(Int.init)
    }

    /// Reads only the numbers that the tables of operators require; the file may have options of another type.
    private func optionNumbers(_ operator: FlatTable, code: Int) throws(ModelFileError) -> [Int: Int] {
        guard let needs = OperatorTable.options(of: code) else { return [:] }
        let type: UInt8 = try `operator`.integer(3)
        guard type == needs.kind, let options = try `operator`.table(4, "operator's options") else { return [:] }
        var numbers: [Int: Int] = [:]
        for field in needs.fields {
            if field.isByte {
                let number: Int8 = try options.integer(field.id, default: Int8(field.defaultValue))
                numbers[field.id] = Int(number)
            } else {
                let number: Int32 = try options.integer(field.id, default: Int32(field.defaultValue))
                numbers[field.id] = Int(number)
            }
        }
        return numbers
    }

    /// A number counts as a list with one element; empty lists count as absent.
    private func optionLists(_ operator: FlatTable, code: Int) throws(ModelFileError) -> [Int: [Int]] {
        let type: UInt8 = try `operator`.integer(11)
        guard let (kind, numbers, lists) = Self.listOptions[code], type == kind,
            let options = try `operator`.table(12, "operator's options")
        else { return [:] }
        var values: [Int: [Int]] = [:]
        for id in numbers {
            let number: Int64 = try options.integer(id)
            values[id] = [Int(number)]
        }
        for id in lists {
            values[id] = try options.integers(id, of: Int64.self, "list in an operator's options")?.map(Int.init) ?? []
        }
        return values
    }

    private func poolingWindow(_ operator: FlatTable, code: Int) throws(ModelFileError) -> [Int]? {
        let type: UInt8 = try `operator`.integer(3)
        guard Self.poolings.contains(code), type == Self.poolingOptions,
            let options = try `operator`.table(4, "operator's options")
        else { return nil }
        return try [3, 4].map { id throws(ModelFileError) in
            let length: Int32 = try options.integer(id)
            return Int(length)
        }
    }

    private func indices(_ table: FlatTable, _ id: Int, _ kind: String) throws(ModelFileError) -> [Int] {
        try table.integers(id, of: Int32.self, kind)?.map(Int.init) ?? []
    }
}

/// Reads the signatures of a model. Signatures without a name cannot be called, and crash engines, so rule R1 begins
/// here.
enum SignatureParser {
    static func signature(_ table: FlatTable) throws(ModelFileError) -> ModelGraph.Signature {
        guard let key = try table.string(2, "signature's key") else {
            throw ModelFileError(.malformed, "the model is damaged: a signature has no key")
        }
        let subgraph: UInt32 = try table.integer(4)
        return ModelGraph.Signature(
            key: key, subgraph: Int(subgraph),
            inputs: try table.tables(0, "signature's input").map { table throws(ModelFileError) in
                try namedTensor(table, "an input of signature \(key.quoted)")
            },
            outputs: try table.tables(1, "signature's output").map { table throws(ModelFileError) in
                try namedTensor(table, "an output of signature \(key.quoted)")
            })
    }

    private static func namedTensor(
        _ table: FlatTable, _ place: String
    ) throws(ModelFileError) -> ModelGraph.NamedTensor {
        guard let name = try table.string(0, "name in a signature") else {
            throw ModelFileError(.malformed, "the model is damaged: \(place) has no name")
        }
        let tensor: UInt32 = try table.integer(1)
        return ModelGraph.NamedTensor(name: name, tensor: Int(tensor))
    }
}
