extension ModelMetadata {
    /// The block `TFLITE_METADATA` with this content, as bytes. ``minimumParserVersion`` is computed anew.
    /// - Throws: `unsupported` for contents and steps that are newer than Hearth or for text models, and for numbers
    ///   that the format cannot hold.
    package func block() throws(ModelFileError) -> [UInt8] {
        FlatWriter(try ModelMetadataWriter.value(of: self), identifier: Self.identifier).bytes
    }
}

/// Describes ``ModelMetadata`` as a flatbuffer. Field numbers are those of the metadata schema.
///
/// Empty lists are left out: a reader may take an empty list for one that has elements. MediaPipe requires four numbers
/// of a list of box corners that is there.
enum ModelMetadataWriter {
    static func value(of metadata: ModelMetadata) throws(ModelFileError) -> FlatValue {
        table([
            0: text(metadata.name), 1: text(metadata.description), 2: text(metadata.version),
            3: list(try metadata.subgraphs.map(subgraph)), 4: text(metadata.author), 5: text(metadata.license),
            6: list(metadata.associatedFiles.map(file)), 7: text(MetadataVersion(needed: metadata).text),
        ])
    }

    private static func subgraph(_ subgraph: ModelMetadata.Subgraph) throws(ModelFileError) -> FlatValue {
        table([
            0: text(subgraph.name), 1: text(subgraph.description), 2: list(try subgraph.inputs.map(tensor)),
            3: list(try subgraph.outputs.map(tensor)), 4: list(subgraph.associatedFiles.map(file)),
            5: list(try subgraph.inputProcessUnits.map(processUnit)),
            6: list(try subgraph.outputProcessUnits.map(processUnit)), 7: list(subgraph.inputGroups.map(group)),
            8: list(subgraph.outputGroups.map(group)),
            9: list(subgraph.customBlocks.map { table([0: text($0.name), 1: .bytes($0.bytes)]) }),
        ])
    }

    private static func tensor(_ tensor: ModelMetadata.Tensor) throws(ModelFileError) -> FlatValue {
        table([
            0: text(tensor.name), 1: text(tensor.description), 2: list(tensor.dimensionNames.map(FlatValue.string)),
            3: try tensor.content.map(content), 4: list(try tensor.processUnits.map(processUnit)),
            5: tensor.stats.map { table([0: floats($0.maximum), 1: floats($0.minimum)]) },
            6: list(tensor.associatedFiles.map(file)),
        ])
    }

    private static func group(_ group: ModelMetadata.TensorGroup) -> FlatValue {
        table([0: text(group.name), 1: list(group.tensorNames.map(FlatValue.string))])
    }

    private static func file(_ file: ModelMetadata.AssociatedFile) -> FlatValue {
        table([
            0: text(file.name), 1: text(file.description), 2: .integer(file.kind.rawValue), 3: text(file.locale),
            4: text(file.version),
        ])
    }

    // MARK: Contents

    private static func content(_ content: ModelMetadata.Content) throws(ModelFileError) -> FlatValue {
        let properties = try properties(content.properties)
        return table([
            0: properties.map { .integer($0.kind) }, 1: properties?.details,
            2: try content.range.map { range throws(ModelFileError) in
                table([
                    0: .integer(try number(range.minimum, as: Int32.self, "a range of dimensions")),
                    1: .integer(try number(range.maximum, as: Int32.self, "a range of dimensions")),
                ])
            },
        ])
    }

    private static func properties(
        _ properties: ModelMetadata.Properties
    ) throws(ModelFileError) -> (kind: UInt8, details: FlatValue)? {
        switch properties {
        case .none: return nil
        case .feature: return (1, table([:]))
        case .image(let image): return (2, try details(image))
        case .boundingBox(let box):
            let index = try box.index.map { place throws(ModelFileError) in
                Int32(bitPattern: try number(place, as: UInt32.self, "the order of a box's numbers"))
            }
            return (
                3,
                table([
                    0: index.isEmpty ? nil : .integers(index), 1: .integer(box.form.rawValue),
                    2: .integer(box.coordinates.rawValue),
                ])
            )
        case .audio: return (4, table([:]))
        case .other(let kind): throw refused("a content of kind \(kind)")
        }
    }

    private static func details(_ image: ModelMetadata.ImageProperties) throws(ModelFileError) -> FlatValue {
        var size: FlatValue?
        switch (image.defaultWidth, image.defaultHeight) {
        case (let width?, let height?):
            size = table([
                0: .integer(try number(width, as: UInt32.self, "the size of an image")),
                1: .integer(try number(height, as: UInt32.self, "the size of an image")),
            ])
        case (nil, nil): size = nil
        default: throw refused("an image's width without its height, or the reverse")
        }
        return table([0: .integer(image.colorSpace.rawValue), 1: size])
    }

    private static func processUnit(_ unit: ModelMetadata.ProcessUnit) throws(ModelFileError) -> FlatValue {
        switch unit {
        case .normalization(let mean, let standardDeviation):
            table([0: .integer(UInt8(1)), 1: table([0: floats(mean), 1: floats(standardDeviation)])])
        case .scoreCalibration(let transformation, let defaultScore):
            table([
                0: .integer(UInt8(2)),
                1: table([0: .integer(transformation.rawValue), 1: .integer(defaultScore.bitPattern)]),
            ])
        case .scoreThresholding(let threshold):
            table([0: .integer(UInt8(3)), 1: table([0: .integer(threshold.bitPattern)])])
        case .other(0): table([:])
        case .other(let kind): throw refused("a process unit of kind \(kind)")
        }
    }

    // MARK: Values

    /// The fields that are there.
    private static func table(_ fields: [Int: FlatValue?]) -> FlatValue {
        .table(fields.compactMapValues(\.self))
    }

    private static func text(_ text: String?) -> FlatValue? {
        text.map(FlatValue.string)
    }

    private static func list(_ values: [FlatValue]) -> FlatValue? {
        values.isEmpty ? nil : .vector(values)
    }

    private static func floats(_ values: [Float]) -> FlatValue? {
        values.isEmpty ? nil : .integers(values.map { Int32(bitPattern: $0.bitPattern) })
    }

    private static func number<Value: FixedWidthInteger>(
        _ number: Int, as type: Value.Type, _ what: String
    ) throws(ModelFileError) -> Value {
        guard let value = Value(exactly: number) else {
            throw refused("\(number) in \(what); \(Value.min) to \(Value.max) are possible")
        }
        return value
    }

    private static func refused(_ what: String) -> ModelFileError {
        ModelFileError(.unsupported, "the metadata cannot be written: it has \(what)")
    }
}
