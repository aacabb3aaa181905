/// A model with what belongs to it, however a user points at it.
///
/// Accepted are: a folder with a `manifest.json` (or one other file whose name ends so), or with a single `.tflite`; the
/// manifest itself, or a detection export's `tflite_metadata.json`; a zip of such a folder; a `.tflite`, with or without a
/// zip of labels or of the whole bundle appended.
///
/// Labels come from the first of these that names any: the caller's file; the manifest; the model's metadata; a
/// `labels.txt` or `dict.txt` in the model's zip; a file beside the model called `labels.txt`, `dict.txt`, or as the
/// model with `.txt` or `_labels.txt`, when there is just one; where there is none, a label map called `label_map.pbtxt`,
/// or as the model, with or without `_model`, with `.pbtxt` or `_label_map.pbtxt`. All values are immutable: use them on
/// any thread.
public struct ModelBundle: Sendable {
    public enum Kind: String, Sendable {
        /// A folder on disk.
        case folder
        /// A zip of a folder.
        case zip
        /// One file: a model with the bundle's other files in its appended zip.
        case packedModel
        /// A model file by itself; its labels may be in its metadata or beside it.
        case model
    }

    public let kind: Kind
    public let model: ModelFile
    public let metadata: ModelMetadata?
    public let manifest: AutoMLManifest?
    /// The manifest on disk; nil when there is none or it is in a zip.
    public let manifestPath: String?
    public let labels: LabelMap?
    /// Label files beside the model, when there are several and none was chosen.
    public let ambiguousLabelFiles: [String]
    /// The bytes of the `tflite_metadata.json` that AutoML puts beside detection models; ``DetectionExport`` reads them.
    public let exportMetadata: [UInt8]?

    let contents: BundleOpener.BundleContents
    let labelSource: LabelFinder.Source
    private let finder: LabelFinder

    /// Opens what lies at `path`. The model is parsed but not checked for loading.
    /// - Parameters:
    ///   - labelsPath: a label file that goes before all others.
    ///   - locale: language of the display names, as the metadata writes it.
    /// - Throws: `notFound`, `unreadable`, `empty`, `tooLarge`, `notAModel`, `malformed`, `unsupported`,
    ///   `invalidBundle`; `labelsMissing` when a label file is named but absent; `labelsMismatch`.
    public init(path: String, labelsPath: String? = nil, locale: String = "en") throws(ModelFileError) {
        try self.init(path: path, labelsPath: labelsPath, locale: locale, limits: BundleLimits())
    }

    package init(
        path: String, labelsPath: String? = nil, locale: String = "en", limits: BundleLimits
    ) throws(ModelFileError) {
        contents = try BundleOpener(limits: limits).open(path)
        kind = contents.kind
        model = contents.model
        manifest = contents.manifest?.content
        manifestPath = contents.manifest?.path
        metadata = try ModelMetadata(of: contents.model)
        finder = LabelFinder(found: contents, metadata: metadata, locale: locale)
        let result = try finder.find(explicit: labelsPath)
        labels = result.labels
        labelSource = result.source
        ambiguousLabelFiles = result.ambiguous
        let hasExportMetadata = kind != .model && contents.files.has(DetectionExport.fileName)
        exportMetadata =
            hasExportMetadata
            ? try contents.files.text(DetectionExport.fileName, limitBytes: DetectionExport.maximumByteCount) : nil
    }

    /// The labels that the metadata names for one output of the main subgraph: models with several heads have several.
    /// Nil when it names none.
    /// - Throws: `labelsMissing`, `labelsMismatch`, `invalidBundle`.
    public func metadataLabels(ofOutput index: Int) throws(ModelFileError) -> LabelMap? {
        guard let outputs = metadata?.subgraphs.first?.outputs, outputs.indices.contains(index) else { return nil }
        return try finder.labels(of: outputs[index])
    }
}

/// How large the parts of a bundle may be. Each limit is inclusive.
package struct BundleLimits: Sendable, Equatable {
    /// Bytes of the model, and of a zip that contains it.
    package var modelBytes = ModelBytes.largestModel
    package var zip = ZipLimits()

    package init() {}
}

extension ModelBundle {
    /// The bundle as one file: the model, with the manifest, labels and export metadata in its appended zip.
    ///
    /// Any TensorFlow Lite runtime loads it as the model that it is; ``init(path:labelsPath:locale:limits:)`` opens it as
    /// the bundle. Files of a zip that the model already has are kept. Packing a packed file changes nothing.
    /// - Throws: `invalidBundle` when a file of the bundle and one in the model's zip differ but have the same name;
    ///   `tooLarge`; `unsupported` for a model whose constants lie behind its zip.
    public func packed() throws(ModelFileError) -> [UInt8] {
        var writer = ZipWriter()
        if let archive = contents.appended { try writer.add(contentsOf: archive) }
        let before = writer
        try addBundleFiles(to: &writer)
        guard writer != before else { return model.bytes.withUnsafeBytes { [UInt8]($0) } }
        return try writer.appended(to: modelWithoutZip())
    }

    private func addBundleFiles(to writer: inout ZipWriter) throws(ModelFileError) {
        switch labelSource {
        case .external(let bytes):
            // A manifest is what makes these labels go before any others when the packed file is opened.
            let name = Self.freeName(in: writer, for: bytes)
            let manifest = AutoMLManifest(
                modelType: manifest?.modelType, modelFile: contents.modelName, labelsFile: name)
            try writer.add("manifest.json", manifest.json(), replacing: true)
            try writer.add(name, bytes)
        case .manifest(let name, let bytes):
            if let manifest = contents.manifest { try writer.add("manifest.json", manifest.json) }
            try writer.add(name, bytes)
        case .none, .embedded:
            if let manifest = contents.manifest { try writer.add("manifest.json", manifest.json) }
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
        let end = contents.appended?.start ?? model.bytes.count
        let constants = model.graph.subgraphs.lazy.flatMap(\.tensors).compactMap(\.data)
        guard constants.allSatisfy({ $0.upperBound <= end }) else {
            throw ModelFileError(.unsupported, "the model cannot be packed: it has constants behind its zip")
        }
        return model.bytes.withUnsafeBytes { [UInt8]($0[..<end]) }
    }
}
