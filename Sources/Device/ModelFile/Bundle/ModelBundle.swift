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

    let found: BundleOpener.Found
    let labelSource: LabelFinder.Source
    private let finder: LabelFinder

    /// Opens what lies at `path`. The model is parsed but not checked for loading.
    /// - Parameters:
    ///   - labelsPath: a label file that goes before all others.
    ///   - locale: language of the display names, as the metadata writes it.
    /// - Throws: `notFound`, `unreadable`, `empty`, `tooLarge`, `notAModel`, `malformed`, `unsupported`,
    ///   `invalidBundle`; `labelsMissing` when a label file is named but absent; `labelsMismatch`.
    public init(
        path: String, labelsPath: String? = nil, locale: String = "en", limits: BundleLimits = BundleLimits()
    ) throws(ModelFileError) {
        found = try BundleOpener(limits: limits).open(path)
        kind = found.kind
        model = found.model
        manifest = found.manifest?.content
        manifestPath = found.manifest?.path
        metadata = try ModelMetadata(of: found.model)
        finder = LabelFinder(found: found, metadata: metadata, locale: locale)
        let result = try finder.find(explicit: labelsPath)
        labels = result.labels
        labelSource = result.source
        ambiguousLabelFiles = result.ambiguous
        let hasExportMetadata = kind != .model && found.files.has(DetectionExport.fileName)
        exportMetadata =
            hasExportMetadata
            ? try found.files.text(DetectionExport.fileName, limitBytes: DetectionExport.largestFile) : nil
    }

    /// The labels that the metadata names for one output of the main subgraph: models with several heads have several.
    /// Nil when it names none.
    /// - Throws: `labelsMissing`, `labelsMismatch`, `invalidBundle`.
    public func metadataLabels(ofOutput index: Int) throws(ModelFileError) -> LabelMap? {
        guard let outputs = metadata?.subgraphs.first?.outputs, outputs.indices.contains(index) else { return nil }
        return try finder.labels(of: outputs[index])
    }
}
