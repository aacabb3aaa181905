/// A model with its labels, metadata and manifest, opened from any path that a user may pass.
///
/// The path may be:
/// - a folder with a `manifest.json` (or with one other file of this ending), or with a single `.tflite` file;
/// - the manifest itself, or the `tflite_metadata.json` of a detection export;
/// - a zip of such a folder;
/// - a `.tflite` file, with or without an appended zip of labels or of the whole bundle.
///
/// Labels come from the first of these sources that has any:
/// - the caller's file;
/// - the manifest;
/// - the model's metadata;
/// - a `labels.txt` or `dict.txt` in the model's zip, else a `metadata.json` there with names of classes;
/// - a file beside the model, if there is exactly one with the name `labels.txt`, `dict.txt`, or the model's name with
///   `.txt` or `_labels.txt`;
/// - a label map beside the model: `label_map.pbtxt`, or the model's name, with or without `_model`, with `.pbtxt` or
///   `_label_map.pbtxt`.
///
/// All values are immutable: use them on any thread.
public struct ModelBundle: Sendable {
    /// The form in which the bundle is stored.
    public enum Kind: String, Sendable {
        /// A folder on disk.
        case folder
        /// A zip of a folder.
        case zip
        /// One file: a model with the bundle's other files in its appended zip.
        case packedModel
        /// A model file alone; its labels may be in its metadata or beside it.
        case model
    }

    /// The form in which the bundle is stored.
    public let kind: Kind
    /// The model file.
    public let model: ModelFile
    /// The model's metadata; nil when the file has none.
    public let metadata: ModelMetadata?
    /// The manifest; nil when the bundle has none.
    public let manifest: AutoMLManifest?
    /// The path of the manifest on disk; nil when there is none or it is in a zip.
    public let manifestPath: String?
    /// The labels; nil when none were found.
    public let labels: LabelMap?
    /// Label files beside the model, when there are several candidates and so none was used.
    public let ambiguousLabelFiles: [String]
    /// The bytes of the `tflite_metadata.json` that AutoML stores beside detection models; nil when there is none.
    public let exportMetadata: [UInt8]?

    /// What the model's exporter wrote about it; nil when it wrote nothing.
    package let exporterDescription: ExporterDescription?
    /// What is stated in the model's zip about its images and answers.
    public let processing: ImageProcessing

    let contents: BundleOpener.BundleContents
    let labelSource: LabelFinder.Source
    /// The output whose labels ``labels`` are; nil if they do not come from the metadata.
    private let outputOfLabels: Int?
    private let finder: LabelFinder

    /// Opens the bundle at `path`. The model is parsed but not checked for loading.
    /// - Parameters:
    ///   - path: A folder or a file, as described above.
    ///   - labelsPath: A label file that takes precedence over all others.
    ///   - locale: The language of the display names, as the metadata writes it.
    /// - Throws: `notFound`, `unreadable`, `empty`, `tooLarge`, `notAModel`, `malformed`, `unsupported`,
    ///   `invalidBundle`; `labelsMissing` when a named label file does not exist; `labelsMismatch`.
    public init(path: String, labelsPath: String? = nil, locale: String = "en") throws(ModelFileError) {
        try self.init(path: path, labelsPath: labelsPath, locale: locale, limits: BundleLimits())
    }

    package init(
        path: String, labelsPath: String? = nil, locale: String = "en", limits: BundleLimits
    ) throws(ModelFileError) {
        try self.init(BundleOpener(limits: limits).open(path), labelsPath: labelsPath, locale: locale)
    }

    /// Opens a model file whose bytes are in memory, with the labels and manifest in its appended zip, if it has one.
    /// Reads no file, so it works inside a sandbox.
    package init(bytes: ModelBytes) throws(ModelFileError) {
        try self.init(BundleOpener(limits: BundleLimits()).open(bytes), labelsPath: nil, locale: "en")
    }

    /// Opens a zip of a folder whose bytes are in memory. Reads no file, so it works inside a sandbox.
    package init(zip bytes: ModelBytes, limits: BundleLimits = BundleLimits()) throws(ModelFileError) {
        try self.init(BundleOpener(limits: limits).openZip(bytes, "the zip"), labelsPath: nil, locale: "en")
    }

    private init(
        _ contents: BundleOpener.BundleContents, labelsPath: String?, locale: String
    ) throws(ModelFileError) {
        self.contents = contents
        kind = contents.kind
        model = contents.model
        manifest = contents.manifest?.content
        manifestPath = contents.manifest?.path
        metadata = try ModelMetadata(of: contents.model)
        finder = LabelFinder(found: contents, metadata: metadata, locale: locale)
        exporterDescription = try finder.exporterDescription()
        let result = try finder.find(explicit: labelsPath, exporter: exporterDescription)
        labels = result.labels
        labelSource = result.source
        outputOfLabels = result.output
        processing = try Self.processing(in: contents.appended)
        ambiguousLabelFiles = result.ambiguous
        let hasExportMetadata = kind != .model && contents.files.has(DetectionExport.fileName)
        exportMetadata =
            hasExportMetadata
            ? try contents.files.text(DetectionExport.fileName, limitBytes: DetectionExport.maximumByteCount) : nil
    }

    private static func processing(in archive: ZipArchive?) throws(ModelFileError) -> ImageProcessing {
        guard let archive, let member = archive.member(named: ImageProcessing.fileName) else {
            return ImageProcessing()
        }
        guard member.byteCount <= ImageProcessing.maximumByteCount else {
            throw ModelFileError(.tooLarge, "the model's \(ImageProcessing.fileName) is too long")
        }
        return try ImageProcessing(json: archive.contents(of: member))
    }

    /// The names of the files in the model's own zip.
    package var zipNames: Set<String> { Set((contents.appended?.members ?? []).map(\.name)) }

    /// Whether the metadata says which output has a labeler's scores.
    package var hasLabeledScores: Bool { labeledOutput != nil }

    /// The output of the main subgraph with a labeler's scores, and their labels.
    ///
    /// The scores are the first output for which the metadata names a label for each number. Without such an output
    /// they are the first of all. Labels by value are those of a detector's classes; a labeler gets them only if there
    /// are no others.
    /// - Throws: As ``metadataLabels(ofOutput:)``.
    package func labeledScores() throws(ModelFileError) -> (output: Int, labels: LabelMap?) {
        if let outputOfLabels, let outputs = metadata?.subgraphs.first?.outputs {
            if outputs[outputOfLabels].hasLabelsByAxis { return (outputOfLabels, labels) }
            if let named = try finder.readFromMetadata(where: \.hasLabelsByAxis) { return (named.output, named.labels) }
        }
        return (labeledOutput ?? 0, labels)
    }

    private var labeledOutput: Int? { metadata?.subgraphs.first?.outputs.firstIndex(where: \.hasLabelsByAxis) }

    /// The labels that the metadata names for one output of the main subgraph, because models with several heads have
    /// several. nil when it names none.
    /// - Throws: `labelsMissing`, `labelsMismatch`, `invalidBundle`.
    public func metadataLabels(ofOutput index: Int) throws(ModelFileError) -> LabelMap? {
        guard let outputs = metadata?.subgraphs.first?.outputs, outputs.indices.contains(index) else { return nil }
        return try finder.labels(of: outputs[index])
    }
}

extension ModelMetadata.Tensor {
    /// Whether a file names a label for each number of the tensor.
    fileprivate var hasLabelsByAxis: Bool { associatedFiles.contains { $0.kind == .axisLabels } }
}

/// The largest sizes of a bundle's parts. Each limit is inclusive.
package struct BundleLimits: Sendable, Equatable {
    /// The bytes of the model, and of a zip that contains it.
    package var modelBytes = ModelBytes.largestModel
    package var zip = ZipLimits()

    package init() {}
}
