extension ModelMetadata {
    /// Reads the metadata of `model`; nil when it has none.
    /// - Throws: `malformed` when the metadata is damaged; `tooLarge`.
    public init?(of model: ModelFile) throws(ModelFileError) {
        guard let entry = model.graph.metadata.first(where: { $0.name == "TFLITE_METADATA" }) else { return nil }
        self = try ModelMetadataParser.parse(model.bytes, entry.data ?? 0..<0)
    }
}

/// Parses the metadata flatbuffer into ``ModelMetadata``. Field numbers are those of the metadata schema.
enum ModelMetadataParser {
    private static let largestTableCount = 100_000
    /// Enough for a detector's block with a million anchors.
    private static let largestByteCount = 64 << 20

    static func parse(_ bytes: ModelBytes, _ range: Range<Int>) throws(ModelFileError) -> ModelMetadata {
        let buffer = FlatBuffer(
            bytes: bytes, range: range, name: "the model's metadata",
            budget: ReadingBudget(tables: largestTableCount, bytes: largestByteCount))
        guard buffer.hasIdentifier("M001") else {
            throw ModelFileError(.malformed, "the model's metadata is damaged: it does not have the identifier M001")
        }
        let table = try buffer.root("metadata")
        return ModelMetadata(
            name: try table.string(0, "name"), description: try table.string(1, "description"),
            version: try table.string(2, "version"), author: try table.string(4, "author"),
            license: try table.string(5, "license"),
            minimumParserVersion: try table.string(7, "parser version"),
            subgraphs: try table.tables(3, "subgraph").map(subgraph),
            associatedFiles: try files(table, 6))
    }

    private static func subgraph(_ table: FlatTable) throws(ModelFileError) -> ModelMetadata.Subgraph {
        ModelMetadata.Subgraph(
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
        ModelMetadata.CustomBlock(
            name: try table.string(0, "custom block's name"),
            bytes: try table.integers(1, of: UInt8.self, "custom block") ?? [])
    }

    private static func tensor(_ table: FlatTable) throws(ModelFileError) -> ModelMetadata.Tensor {
        ModelMetadata.Tensor(
            name: try table.string(0, "name"), description: try table.string(1, "description"),
            dimensionNames: try table.strings(2, "dimension name"),
            content: try table.table(3, "content").map(content),
            processUnits: try table.tables(4, "process unit").map(processUnit),
            stats: try table.table(5, "statistics").map(stats),
            associatedFiles: try files(table, 6))
    }

    private static func group(_ table: FlatTable) throws(ModelFileError) -> ModelMetadata.TensorGroup {
        ModelMetadata.TensorGroup(name: try table.string(0, "name"), tensorNames: try table.strings(1, "name"))
    }

    private static func stats(_ table: FlatTable) throws(ModelFileError) -> ModelMetadata.Stats {
        ModelMetadata.Stats(
            maximum: try table.floats(0, "statistics") ?? [], minimum: try table.floats(1, "statistics") ?? [])
    }

    private static func files(_ table: FlatTable, _ id: Int) throws(ModelFileError) -> [ModelMetadata.AssociatedFile] {
        try table.tables(id, "associated file").map { table throws(ModelFileError) in
            ModelMetadata.AssociatedFile(
                name: try table.string(0, "file name"), description: try table.string(1, "description"),
                kind: ModelMetadata.AssociatedFile.Kind(rawValue: try table.integer(2)),
                locale: try table.string(3, "locale"), version: try table.string(4, "version"))
        }
    }

    private static func content(_ table: FlatTable) throws(ModelFileError) -> ModelMetadata.Content {
        ModelMetadata.Content(
            properties: try properties(table),
            range: try table.table(2, "range").map { range throws(ModelFileError) in
                let minimum: Int32 = try range.integer(0)
                let maximum: Int32 = try range.integer(1)
                return ModelMetadata.ValueRange(minimum: Int(minimum), maximum: Int(maximum))
            })
    }

    private static func properties(_ content: FlatTable) throws(ModelFileError) -> ModelMetadata.Properties {
        let kind: UInt8 = try content.integer(0)
        guard kind != 0, let table = try content.table(1, "content") else { return .none }
        switch kind {
        case 1: return .feature
        case 2: return .image(try image(table))
        case 3: return .boundingBox(try boundingBox(table))
        case 4: return .audio
        default: return .other(Int(kind))
        }
    }

    private static func image(_ table: FlatTable) throws(ModelFileError) -> ModelMetadata.ImageProperties {
        let size = try table.table(1, "image size")
        let width: UInt32? = try size?.integer(0)
        let height: UInt32? = try size?.integer(1)
        return ModelMetadata.ImageProperties(
            colorSpace: ModelMetadata.ImageProperties.ColorSpace(rawValue: try table.integer(0)),
            defaultWidth: width.map(Int.init), defaultHeight: height.map(Int.init))
    }

    private static func boundingBox(_ table: FlatTable) throws(ModelFileError) -> ModelMetadata.BoundingBoxProperties {
        ModelMetadata.BoundingBoxProperties(
            index: try table.integers(0, of: UInt32.self, "box layout")?.map(Int.init) ?? [],
            form: ModelMetadata.BoundingBoxProperties.Form(rawValue: try table.integer(1)),
            coordinates: ModelMetadata.BoundingBoxProperties.Coordinates(rawValue: try table.integer(2)))
    }

    private static func processUnit(_ table: FlatTable) throws(ModelFileError) -> ModelMetadata.ProcessUnit {
        let kind: UInt8 = try table.integer(0)
        guard let options = try table.table(1, "process unit") else { return .other(Int(kind)) }
        switch kind {
        case 1:
            return .normalization(
                mean: try options.floats(0, "mean") ?? [],
                standardDeviation: try options.floats(1, "standard deviation") ?? [])
        case 2:
            return .scoreCalibration(
                transformation: ModelMetadata.ScoreTransformation(rawValue: try options.integer(0)),
                defaultScore: try options.float(1, default: 0))
        case 3: return .scoreThresholding(try options.float(0, default: 0))
        default: return .other(Int(kind))
        }
    }
}
