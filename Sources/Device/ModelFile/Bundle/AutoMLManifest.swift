import Foundation

/// The `manifest.json` of an AutoML Vision Edge export. It names the model file and the label file in its folder.
public struct AutoMLManifest: Sendable, Equatable {
    /// The most bytes of a manifest.
    public static let maximumByteCount = 64 << 10

    /// The task of the model: `IMAGE_LABELING` in AutoML's own exports; nil when not stated.
    public let modelType: String?
    /// The plain name of the model file.
    public let modelFile: String
    /// The plain name of the label file; nil when the manifest names none.
    public let labelsFile: String?

    /// Reads the JSON text. A comma after the last member is accepted, because published manifests have one.
    /// - Throws: `invalidBundle` when the text is not such a manifest, or a file name points outside the folder;
    ///   `tooLarge`.
    public init(json: [UInt8]) throws(ModelFileError) {
        guard json.count <= Self.maximumByteCount else {
            throw ModelFileError(.tooLarge, "the manifest is longer than \(Self.maximumByteCount) bytes")
        }
        guard let content = try? JSONDecoder().decode(Content.self, from: Data(json)) else {
            throw ModelFileError(
                .invalidBundle, "the manifest is not JSON with the texts modelType, modelFile and labelsFile")
        }
        guard let modelFile = content.modelFile else {
            throw ModelFileError(.invalidBundle, "the manifest does not name its model: add modelFile")
        }
        for name in [modelFile, content.labelsFile].compactMap(\.self) where !Self.isPlain(name) {
            throw ModelFileError(
                .invalidBundle, "the manifest names \(name.quoted); only names of files beside it are accepted")
        }
        modelType = content.modelType
        self.modelFile = modelFile
        labelsFile = content.labelsFile
    }

    init(modelType: String?, modelFile: String, labelsFile: String?) {
        self.modelType = modelType
        self.modelFile = modelFile
        self.labelsFile = labelsFile
    }

    /// The JSON text of this manifest, identical for equal values.
    func json() throws(ModelFileError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let content = Content(modelType: modelType, modelFile: modelFile, labelsFile: labelsFile)
        guard let data = try? encoder.encode(content) else {
            throw ModelFileError(.invalidBundle, "the manifest cannot be written as JSON")
        }
        return [UInt8](data)
    }

    private struct Content: Codable {
        let modelType: String?
        let modelFile: String?
        let labelsFile: String?
    }

    private static func isPlain(_ name: String) -> Bool {
        ZipName.isSafe(name) && !name.contains("/") && name.utf8.count <= 255
    }

    /// The name of the manifest among a folder's files: `manifest.json`, else the only name with this ending.
    /// - Throws: `invalidBundle` when there are several candidates.
    static func name(among files: [String]) throws(ModelFileError) -> String? {
        let name = "manifest.json"
        if files.contains(name) { return name }
        let candidates = files.filter { $0.hasSuffix(name) && !$0.hasPrefix(".") }
        guard candidates.count <= 1 else {
            throw ModelFileError(
                .invalidBundle, "there are several manifests; name the one that is meant '\(name)'")
        }
        return candidates.first
    }
}
