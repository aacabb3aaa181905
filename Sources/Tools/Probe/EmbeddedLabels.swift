import HearthModelFile

/// Finds the labels inside a model file, out of bytes that are in memory already: a cage has no files to open.
struct EmbeddedLabels {
    let archive: ZipArchive?
    let metadata: ModelMetadata?

    /// A zip that cannot be read holds no labels; whoever labels with the model is told why.
    init(bytes: ModelBytes, metadata: ModelMetadata?) {
        archive = (try? ZipArchive(in: bytes)) ?? nil
        self.metadata = metadata
    }

    /// Nil without labels and with broken ones. The first source that names a file decides, in the order in which
    /// `ModelBundle` looks for labels.
    var labels: LabelMap? { labelFile.flatMap(labels(in:)) }

    private var labelFile: String? { manifestFile ?? metadataFile ?? usualFile }

    private var manifestFile: String? {
        guard let json = contents(of: "manifest.json", limitBytes: AutoMLManifest.largestFile) else { return nil }
        return (try? AutoMLManifest(json: json))?.labelsFile
    }

    /// The file of the first output that has one.
    private var metadataFile: String? {
        metadata?.subgraphs.first?.outputs.lazy.flatMap(\.associatedFiles)
            .first { $0.kind == .axisLabels || $0.kind == .valueLabels }?.name
    }

    /// The one file with a name that label files usually have.
    private var usualFile: String? {
        let names = ["labels.txt", "dict.txt"].filter { archive?.member(named: $0) != nil }
        return names.count == 1 ? names[0] : nil
    }

    private func labels(in name: String) -> LabelMap? {
        contents(of: name, limitBytes: LabelMap.largestFile).flatMap { try? LabelMap(file: $0) }
    }

    private func contents(of name: String, limitBytes: Int) -> [UInt8]? {
        guard let archive, let member = archive.member(named: name), member.byteCount <= limitBytes else { return nil }
        return try? archive.contents(of: member)
    }
}
