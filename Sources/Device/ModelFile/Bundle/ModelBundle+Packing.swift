extension ModelBundle {
    /// The bundle as one file: the model, with the manifest, labels and export metadata in its appended zip.
    ///
    /// Any TensorFlow Lite runtime loads it as the model that it is; ``init(path:labelsPath:locale:limits:)`` opens it as
    /// the bundle. Files of a zip that the model already has are kept. Packing a packed file changes nothing.
    /// - Throws: `invalidBundle` when a file of the bundle and one in the model's zip differ but have the same name;
    ///   `tooLarge`; `unsupported` for a model whose constants lie behind its zip.
    public func packed() throws(ModelFileError) -> [UInt8] {
        var writer = ZipWriter()
        if let archive = found.appended { try writer.add(contentsOf: archive) }
        let before = writer
        try addBundleFiles(to: &writer)
        guard writer != before else { return model.bytes.withUnsafeBytes { [UInt8]($0) } }
        return try writer.appended(to: modelWithoutZip())
    }

    private func addBundleFiles(to writer: inout ZipWriter) throws(ModelFileError) {
        switch labelSource {
        case .loose(let bytes):
            // A manifest is what makes these labels go before any others when the packed file is opened.
            let name = Self.freeName(in: writer, for: bytes)
            let manifest = AutoMLManifest(
                modelType: manifest?.modelType, modelFile: found.modelName, labelsFile: name)
            try writer.add("manifest.json", manifest.json(), replacing: true)
            try writer.add(name, bytes)
        case .manifest(let name, let bytes):
            if let manifest = found.manifest { try writer.add("manifest.json", manifest.json) }
            try writer.add(name, bytes)
        case .none, .inside:
            if let manifest = found.manifest { try writer.add("manifest.json", manifest.json) }
        }
        if let exportMetadata { try writer.add(DetectionExport.fileName, exportMetadata) }
    }

    /// `labels.txt`, or with a number where the model's zip has other labels under that name.
    private static func freeName(in writer: ZipWriter, for bytes: [UInt8]) -> String {
        var name = "labels.txt"
        var number = 1
        while let taken = writer.contents(of: name), taken != bytes {
            number += 1
            name = "labels-\(number).txt"
        }
        return name
    }

    private func modelWithoutZip() throws(ModelFileError) -> [UInt8] {
        let end = found.appended?.start ?? model.bytes.count
        let constants = model.graph.subgraphs.lazy.flatMap(\.tensors).compactMap(\.data)
        guard constants.allSatisfy({ $0.upperBound <= end }) else {
            throw ModelFileError(.unsupported, "the model cannot be packed: it has constants behind its zip")
        }
        return model.bytes.withUnsafeBytes { [UInt8]($0[..<end]) }
    }
}
