extension ModelMetadata {
    /// Reads the metadata of `model`; nil when it has none.
    /// - Throws: `malformed` when the metadata is damaged; `tooLarge`.
    public init?(of model: ModelFile) throws(ModelFileError) {
        guard let entry = model.graph.metadata.first(where: { $0.name == Self.blockName }) else { return nil }
        self = try ModelMetadataParser.parse(model.bytes, entry.data ?? 0..<0)
    }

    /// Refuses a model whose metadata has something that a value of this type does not hold, because it would be lost when
    /// the value is written in its place.
    /// - Throws: `unsupported`, which says what would be lost; the errors of ``init(of:)``.
    package static func requireRewritable(in model: ModelFile) throws(ModelFileError) {
        let entries = model.graph.metadata.filter { $0.name == blockName }
        guard entries.count < 2 else {
            throw ModelFileError(
                .unsupported, "the model's metadata cannot be changed, because the model has \(entries.count) of them")
        }
        for entry in entries {
            _ = try ModelMetadataParser.parse(model.bytes, entry.data ?? 0..<0, refusingUnknown: true)
        }
    }

    /// The name of the block in the model file.
    package static let blockName = "TFLITE_METADATA"

    /// The first bytes of the block, after the offset of its root table.
    static let identifier = "M001"
}

/// Parses the metadata flatbuffer into ``ModelMetadata``. Field numbers are those of the metadata schema.
enum ModelMetadataParser {
    private static let largestTableCount = 100_000
    /// Enough for a detector's block with a million anchors.
    private static let largestByteCount = 64 << 20

    /// - Parameter refusingUnknown: Whether to fail where something would be passed over.
    static func parse(
        _ bytes: ModelBytes, _ range: Range<Int>, refusingUnknown: Bool = false
    ) throws(ModelFileError) -> ModelMetadata {
        let buffer = FlatBuffer(
            bytes: bytes, range: range, name: "the model's metadata",
            budget: ReadingBudget(tables: largestTableCount, bytes: largestByteCount), refusesUnknown: refusingUnknown)
        guard buffer.hasIdentifier(ModelMetadata.identifier) else {
            throw ModelFileError(.malformed, "the model's metadata is damaged: it does not have the identifier M001")
        }
        let table = try buffer.root("metadata")
        try table.requireKnown(fields: 8)
        return ModelMetadata(
            name: try table.string(0, "name"), description: try table.string(1, "description"),
            version: try table.string(2, "version"), author: try table.string(4, "author"),
            license: try table.string(5, "license"),
            minimumParserVersion: try table.string(7, "parser version"),
            subgraphs: try table.tables(3, "subgraph").map(subgraph),
            associatedFiles: try files(table, 6))
    }

    private static func subgraph(_ table: FlatTable) throws(ModelFileError) -> ModelMetadata.Subgraph {
        try table.requireKnown(fields: 10)
        return ModelMetadata.Subgraph(
            name: try table.string(0, "name"), description: try table.string(1, "description"),
            inputs: try table.tables(2, "input").map(tensor), outputs: try table.tables(3, "output").map(tensor),
            associatedFiles: try files(table, 4),
            inputProcessUnits: try table.tables(5, "process unit").map(processUnit),
            outputProcessUnits: try table.tables(6, "process unit").map(processUnit),
            inputGroups: try table.tables(7, "group").map(group),
            outputGroups: try table.tables(8, "group").map(group),
            customBlocks: try table.tables(9, "custom block").map(customBlock))
    }

    private static func customBlock(_ table: FlatTable) throws(ModelFileError) -> ModelMetadata.CustomBlock {
        try table.requireKnown(fields: 2)
        return ModelMetadata.CustomBlock(
            name: try table.string(0, "custom block's name"),
            bytes: try table.integers(1, of: UInt8.self, "custom block") ?? [])
    }

    private static func tensor(_ table: FlatTable) throws(ModelFileError) -> ModelMetadata.Tensor {
        try table.requireKnown(fields: 7)
        return ModelMetadata.Tensor(
            name: try table.string(0, "name"), description: try table.string(1, "description"),
            dimensionNames: try table.strings(2, "dimension name"),
            content: try table.table(3, "content").map(content),
            processUnits: try table.tables(4, "process unit").map(processUnit),
            stats: try table.table(5, "statistics").map(stats),
            associatedFiles: try files(table, 6))
    }

    private static func group(_ table: FlatTable) throws(ModelFileError) -> ModelMetadata.TensorGroup {
        try table.requireKnown(fields: 2)
        return ModelMetadata.TensorGroup(name: try table.string(0, "name"), tensorNames: try table.strings(1, "name"))
    }

    private static func stats(_ table: FlatTable) throws(ModelFileError) -> ModelMetadata.Stats {
        try table.requireKnown(fields: 2)
        return ModelMetadata.Stats(
            maximum: try table.floats(0, "statistics") ?? [], minimum: try table.floats(1, "statistics") ?? [])
    }

    private static func files(_ table: FlatTable, _ id: Int) throws(ModelFileError) -> [ModelMetadata.AssociatedFile] {
        try table.tables(id, "associated file").map { table throws(ModelFileError) in
            try table.requireKnown(fields: 5)
            return ModelMetadata.AssociatedFile(
                name: try table.string(0, "file name"), description: try table.string(1, "description"),
                kind: ModelMetadata.AssociatedFile.Kind(rawValue: try table.integer(2)),
                locale: try table.string(3, "locale"), version: try table.string(4, "version"))
        }
    }

    private static func content(_ table: FlatTable) throws(ModelFileError) -> ModelMetadata.Content {
        try table.requireKnown(fields: 3)
        return ModelMetadata.Content(
            properties: try properties(table),
            range: try table.table(2, "range").map { range throws(ModelFileError) in
                try range.requireKnown(fields: 2)
                let minimum: Int32 = try range.integer(0)
                let maximum: Int32 = try range.integer(1)
                return ModelMetadata.ValueRange(minimum: Int(minimum), maximum: Int(maximum))
            })
    }

    private static func properties(_ content: FlatTable) throws(ModelFileError) -> ModelMetadata.Properties {
        let kind: UInt8 = try content.integer(0)
        let details = try content.table(1, "kind of content")
        // A feature has no details, so some writers leave them out.
        if kind == 1 {
            try details?.requireKnown(fields: 0)
            return .feature
        }
        try requirePair(kind, content)
        guard kind != 0, let table = details else { return .none }
        switch kind {
        case 2: return .image(try image(table))
        case 3: return .boundingBox(try boundingBox(table))
        case 4:
            // The sample rate and the number of channels.
            try table.requireKnown(fields: 0)
            return .audio
        default:
            guard !content.refusesUnknown else {
                throw content.unknown("a kind of content (\(kind)) that Hearth lacks")
            }
            return .other(Int(kind))
        }
    }

    /// A kind comes with its details in field 1. One without the other is passed over.
    private static func requirePair(_ kind: UInt8, _ table: FlatTable) throws(ModelFileError) {
        guard table.refusesUnknown, try (kind != 0) != (table.target(1) != nil) else { return }
        throw table.unknown("a kind (\(kind)) without its details, or details without a kind")
    }

    private static func image(_ table: FlatTable) throws(ModelFileError) -> ModelMetadata.ImageProperties {
        try table.requireKnown(fields: 2)
        let size = try table.table(1, "image size")
        try size?.requireKnown(fields: 2)
        let width: UInt32? = try size?.integer(0)
        let height: UInt32? = try size?.integer(1)
        return ModelMetadata.ImageProperties(
            colorSpace: ModelMetadata.ImageProperties.ColorSpace(rawValue: try table.integer(0)),
            defaultWidth: width.map(Int.init), defaultHeight: height.map(Int.init))
    }

    private static func boundingBox(_ table: FlatTable) throws(ModelFileError) -> ModelMetadata.BoundingBoxProperties {
        try table.requireKnown(fields: 3)
        return ModelMetadata.BoundingBoxProperties(
            index: try table.integers(0, of: UInt32.self, "box layout")?.map(Int.init) ?? [],
            form: ModelMetadata.BoundingBoxProperties.Form(rawValue: try table.integer(1)),
            coordinates: ModelMetadata.BoundingBoxProperties.Coordinates(rawValue: try table.integer(2)))
    }

    private static func processUnit(_ table: FlatTable) throws(ModelFileError) -> ModelMetadata.ProcessUnit {
        try table.requireKnown(fields: 2)
        let kind: UInt8 = try table.integer(0)
        try requirePair(kind, table)
        if let options = try table.table(1, "process unit"), let unit = try processUnit(kind, options) { return unit }
        guard kind == 0 || !table.refusesUnknown else {
            throw table.unknown("a process unit (\(kind)) that Hearth does not write, such as a tokenizer")
        }
        return .other(Int(kind))
    }

    private static func processUnit(
        _ kind: UInt8, _ options: FlatTable
    ) throws(ModelFileError) -> ModelMetadata.ProcessUnit? {
        switch kind {
        case 1:
            try options.requireKnown(fields: 2)
            return .normalization(
                mean: try options.floats(0, "mean") ?? [],
                standardDeviation: try options.floats(1, "standard deviation") ?? [])
        case 2:
            try options.requireKnown(fields: 2)
            return .scoreCalibration(
                transformation: ModelMetadata.ScoreTransformation(rawValue: try options.integer(0)),
                defaultScore: try options.float(1, default: 0))
        case 3:
            try options.requireKnown(fields: 1)
            return .scoreThresholding(try options.float(0, default: 0))
        default: return nil
        }
    }
}
