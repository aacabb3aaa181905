extension ModelBundle {
    /// Returns the bundle as one file: the model, with the manifest, labels and export metadata in its appended zip.
    ///
    /// Any TensorFlow Lite runtime loads the file as the plain model; ``init(path:labelsPath:locale:)`` opens it as the
    /// bundle. Files of a zip that the model already has are kept. Packing a packed file changes nothing.
    /// - Throws: `invalidBundle` when a file of the bundle and a file in the model's zip have the same name and
    ///   different contents; `tooLarge`; `unsupported` for a model whose constants are stored after its zip.
    public func packed() throws(ModelFileError) -> [UInt8] {
        try packed(adding: [:], metadata: nil)
    }

    /// Returns the bundle as one file, like ``packed()``, with more files and with other metadata.
    ///
    /// New metadata is written in front of the model, whose bytes do not change (except for offsets that count from the
    /// first byte). It replaces the old as a whole, so begin with ``metadata`` to change only some of it. If the model
    /// has this metadata and these files already, nothing changes.
    /// - Parameters:
    ///   - files: The bytes of files for the zip, by their names.
    ///   - metadata: What the file is to say of itself; nil keeps what it says. The version of its reader is computed.
    ///     Labels that it names take precedence over those beside the model, which are then not added.
    /// - Throws: The errors of ``packed()``, also for a new file with the name of another; `unsupported` when the old
    ///   metadata has something that would be lost or the new metadata cannot be written; `invalidRewrite` when it
    ///   describes other inputs and outputs than the model has; `labelsMissing` when it names a file that is neither new
    ///   nor in the zip.
    package func packed(
        adding files: [String: [UInt8]], metadata: ModelMetadata?
    ) throws(ModelFileError) -> [UInt8] {
        let new = try changed(metadata)
        var writer = ZipWriter()
        if let archive = contents.appended { try writer.add(contentsOf: archive) }
        let before = writer
        for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
            // The description may change; other files keep their names.
            try writer.add(name, bytes, replacing: name == ImageProcessing.fileName)
        }
        try addBundleFiles(to: &writer, withExternalLabels: !(metadata ?? ModelMetadata()).namesLabels)
        guard writer != before || new != nil else { return model.bytes.withUnsafeBytes { [UInt8]($0) } }
        var base = try modelWithoutZip()
        if let new {
            try new.requireFiles(in: writer)
            base = try Self.model(base, describedBy: new)
        }
        return writer.isEmpty ? base : try writer.appended(to: base)
    }

    private func addBundleFiles(
        to writer: inout ZipWriter, withExternalLabels: Bool
    ) throws(ModelFileError) {
        switch labelSource {
        case .external(let bytes) where withExternalLabels:
            // With a manifest, these labels take precedence over all others when the packed file is opened.
            let name = Self.freeLabelsName { writer.contents(of: $0).map { $0 != bytes } ?? false }
            let manifest = AutoMLManifest(
                modelType: manifest?.modelType, modelFile: contents.modelName, labelsFile: name)
            try writer.add("manifest.json", manifest.json(), replacing: true)
            try writer.add(name, bytes)
        case .manifest(let name, let bytes):
            if let manifest = contents.manifest { try writer.add("manifest.json", manifest.json) }
            try writer.add(name, bytes)
        case .none, .embedded, .external:
            if let manifest = contents.manifest { try writer.add("manifest.json", manifest.json) }
        }
        if let exportMetadata { try writer.add(DetectionExport.fileName, exportMetadata) }
    }

    /// `labels.txt`, or the name with a number if it is taken.
    package static func freeLabelsName(isTaken: (String) -> Bool) -> String {
        var name = "labels.txt"
        var number = 1
        while isTaken(name) {
            number += 1
            name = "labels-\(number).txt"
        }
        return name
    }

    private func modelWithoutZip() throws(ModelFileError) -> [UInt8] {
        let end = contents.appended?.start ?? model.bytes.count
        let blocks = model.graph.metadata.compactMap(\.data)
        let constants = model.graph.subgraphs.flatMap { subgraph in
            subgraph.tensors.compactMap(\.data) + subgraph.operators.compactMap(\.customOptions)
        }
        guard (blocks + constants).allSatisfy({ $0.upperBound <= end }) else {
            throw ModelFileError(.unsupported, "the model cannot be packed: it has constants in or after its zip")
        }
        return model.bytes.withUnsafeBytes { [UInt8]($0[..<end]) }
    }

    // MARK: Metadata

    /// `metadata` with the version of its reader; nil if the model says just that already.
    private func changed(_ metadata: ModelMetadata?) throws(ModelFileError) -> ModelMetadata? {
        guard let metadata else { return nil }
        var new = metadata
        new.minimumParserVersion = MetadataVersion(needed: metadata).text
        guard metadata != self.metadata, new != self.metadata else { return nil }
        try ModelMetadata.requireRewritable(in: model)
        try new.requireSubgraphs(of: model.graph)
        return new
    }

    private static func model(
        _ bytes: [UInt8], describedBy metadata: ModelMetadata
    ) throws(ModelFileError) -> [UInt8] {
        var rewrite = ModelRewrite(try ModelFile(ModelBytes(copying: bytes)))
        rewrite.setMetadata(ModelMetadata.blockName, try metadata.block())
        let model = try rewrite.modelFile()
        // A block may be too large to be read.
        _ = try ModelMetadata(of: model)
        return model.bytes.withUnsafeBytes { [UInt8]($0) }
    }
}

extension ModelMetadata {
    private var tensors: [Tensor] { subgraphs.flatMap { $0.inputs + $0.outputs } }

    fileprivate var namesLabels: Bool {
        tensors.contains { $0.associatedFiles.contains { $0.kind == .axisLabels || $0.kind == .valueLabels } }
    }

    /// Readers refuse a model whose metadata describes a subgraph with other numbers of inputs and outputs.
    fileprivate func requireSubgraphs(of graph: ModelGraph) throws(ModelFileError) {
        guard subgraphs.count <= graph.subgraphs.count else {
            throw ModelFileError(
                .invalidRewrite,
                "the metadata describes \(subgraphs.count) subgraphs; the model has \(graph.subgraphs.count)")
        }
        for (number, (described, subgraph)) in zip(subgraphs, graph.subgraphs).enumerated() {
            for (kind, count, needed) in [
                ("inputs", described.inputs.count, subgraph.inputs.count),
                ("outputs", described.outputs.count, subgraph.outputs.count),
            ] where count != 0 && count != needed {
                throw ModelFileError(
                    .invalidRewrite,
                    "the metadata describes \(count) \(kind) of subgraph \(number), which has \(needed)")
            }
        }
    }

    fileprivate func requireFiles(in writer: ZipWriter) throws(ModelFileError) {
        let files = associatedFiles + subgraphs.flatMap(\.associatedFiles) + tensors.flatMap(\.associatedFiles)
        for name in files.compactMap(\.name) where writer.contents(of: name) == nil {
            throw ModelFileError(
                .labelsMissing,
                "the metadata names the file \(name.quoted), which is neither among the new files nor in the model's zip"
            )
        }
    }
}
