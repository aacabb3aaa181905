/// Finds a bundle's labels. The first source that has any is used: the caller's file, the manifest, the metadata, a
/// label file in the model's zip, a label file beside the model. If a source names a file that does not exist, the
/// search fails and does not continue with the next source.
struct LabelFinder {
    /// The source of the labels, with their bytes if packing must add them.
    enum Source {
        case none
        /// A file that nothing inside the bundle names: the caller's file, or one found beside the model.
        case external([UInt8])
        case manifest(name: String, [UInt8])
        /// Already in the model's own zip.
        case embedded
    }

    struct Result {
        var labels: LabelMap?
        var source = Source.none
        /// The output of the main subgraph whose labels they are; nil if the metadata does not name them.
        var output: Int?
        /// Label files of which none was used, because there are several candidates.
        var ambiguous: [String] = []
    }

    let found: BundleOpener.BundleContents
    let metadata: ModelMetadata?
    let locale: String

    /// - Parameter exporter: What ``exporterDescription()`` returns.
    func find(
        explicit path: String?, exporter: ExporterDescription?
    ) throws(ModelFileError) -> Result {
        if let path { return try read(path) }
        if let name = found.manifest?.content.labelsFile { return try readFromManifest(name) }
        if let named = try readFromMetadata() {
            return Result(labels: named.labels, source: .embedded, output: named.output)
        }
        if let appended = found.appended {
            let inside = try pick(from: .archive(appended, prefix: ""))
            if let bytes = inside.bytes { return Result(labels: try LabelMap(file: bytes), source: .embedded) }
            if let labels = exporter.flatMap(LabelMap.init) { return Result(labels: labels, source: .embedded) }
        }
        let beside = try pick(from: found.files)
        guard let bytes = beside.bytes else { return Result(ambiguous: beside.ambiguous) }
        return Result(labels: try LabelMap(file: bytes), source: .external(bytes))
    }

    private func read(_ path: String) throws(ModelFileError) -> Result {
        do throws(ModelFileError) {
            let bytes = try BundleFiles.text(path, limitBytes: LabelMap.maximumByteCount, followsLinks: true)
            return Result(labels: try LabelMap(file: bytes), source: .external(bytes))
        } catch  where error.code == .notFound {
            throw ModelFileError(.labelsMissing, "there is no label file '\(path)'")
        }
    }

    private func readFromManifest(_ name: String) throws(ModelFileError) -> Result {
        guard found.files.has(name) else {
            throw ModelFileError(
                .labelsMissing, "the manifest names the label file \(name.quoted), which is not beside it")
        }
        let bytes = try found.files.text(name, limitBytes: LabelMap.maximumByteCount)
        return Result(labels: try LabelMap(file: bytes), source: .manifest(name: name, bytes))
    }

    /// The labels of the first output that has any, and which output that is.
    /// - Parameter isAsked: Whether an output counts.
    func readFromMetadata(
        where isAsked: (ModelMetadata.Tensor) -> Bool = { _ in true }
    ) throws(ModelFileError) -> (output: Int, labels: LabelMap)? {
        for (number, output) in (metadata?.subgraphs.first?.outputs ?? []).enumerated() where isAsked(output) {
            if let labels = try labels(of: output) { return (number, labels) }
        }
        return nil
    }

    /// What the model's exporter wrote about it, in a file of the zip that the metadata names, or in one of its own.
    func exporterDescription() throws(ModelFileError) -> ExporterDescription? {
        guard let appended = found.appended else { return nil }
        let outputs = metadata?.subgraphs.first?.outputs ?? []
        let named = (outputs.flatMap(\.associatedFiles) + (metadata?.associatedFiles ?? [])).compactMap(\.name)
        for name in named + [ExporterDescription.fileName] {
            guard let member = appended.member(named: name), member.byteCount <= LabelMap.maximumByteCount else {
                continue
            }
            if let description = LabelMap.description(try appended.contents(of: member)) { return description }
        }
        return nil
    }

    func labels(of output: ModelMetadata.Tensor) throws(ModelFileError) -> LabelMap? {
        try LabelMap(of: output, locale: locale) { name throws(ModelFileError) in
            guard let appended = found.appended, appended.member(named: name) != nil else { return nil }
            return try BundleFiles.archive(appended, prefix: "").text(name, limitBytes: LabelMap.maximumByteCount)
        }
    }

    /// The only file with a usual name for label files; if there is none, the only file with a usual name for
    /// TensorFlow's label maps.
    private func pick(from files: BundleFiles) throws(ModelFileError) -> (bytes: [UInt8]?, ambiguous: [String]) {
        let names = LabelFileNames(modelName: found.modelName)
        for usual in [names.labelFiles, names.labelMaps] {
            let candidates = usual.filter(files.has).sorted()
            guard let name = candidates.first else { continue }
            guard candidates.count == 1 else { return (nil, candidates) }
            return (try files.text(name, limitBytes: LabelMap.maximumByteCount, followsLinks: true), [])
        }
        return (nil, [])
    }
}

/// The usual names of files with a model's labels.
struct LabelFileNames {
    /// One label per line.
    let labelFiles: Set<String>
    /// TensorFlow's label maps. AutoML Video writes `traffic_label_map.pbtxt` beside `traffic_model.tflite`.
    let labelMaps: Set<String>

    private static let modelEnding = ".tflite"

    /// - Parameter modelName: The plain name of the model file.
    init(modelName: String) {
        let stem =
            modelName.hasSuffix(Self.modelEnding) ? String(modelName.dropLast(Self.modelEnding.count)) : modelName
        labelFiles = ["labels.txt", "dict.txt", "\(stem).txt", "\(stem)_labels.txt"]
        var maps: Set = ["label_map.pbtxt", "labelmap.pbtxt"]
        // The name without the ending `_model`.
        let subject = stem.hasSuffix("_model") ? String(stem.dropLast("_model".count)) : stem
        for start in [stem, subject] { maps.formUnion(["\(start).pbtxt", "\(start)_label_map.pbtxt"]) }
        labelMaps = maps
    }
}
