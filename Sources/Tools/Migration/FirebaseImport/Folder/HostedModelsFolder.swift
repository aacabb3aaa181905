import Foundation
package import HearthFiles
import HearthWire

/// A folder `hosted_models`, as the command of the Firebase console for a bulk download fills it: one file per model, named
/// after the model.
///
/// The console's folder contains neither tags nor hashes, and does not say which models are published.
package struct HostedModelsFolder: Sendable {
    /// A file that was left out.
    package struct IgnoredFile: Codable, Hashable, Sendable {
        package var file: String
        /// Why, and what to do.
        package var reason: String
    }

    /// The models, by name.
    package let models: [SourceModel]
    /// All other entries of the folder, by name.
    package let ignored: [IgnoredFile]

    /// Lists the folder. Reads only the beginning of each file.
    ///
    /// - Throws: `FileError` if the folder cannot be listed.
    package init(_ folder: String) throws(FileError) {
        let files = DiskFiles()
        let bounds = FolderBounds(folder)
        var models: [SourceModel] = []
        var ignored: [IgnoredFile] = []
        for name in try files.list(folder).sorted() {
            switch Self.check(name, in: folder, bounds, files) {
            case .success(let model): models.append(model)
            case .failure(let refusal): ignored.append(IgnoredFile(file: name, reason: refusal.reason))
            }
        }
        self.models = models
        self.ignored = ignored
    }

    private struct Refusal: Error {
        let reason: String

        init(_ reason: String) { self.reason = reason }
    }

    private static let suffix = ".tflite"

    private static func check(
        _ file: String, in folder: String, _ bounds: FolderBounds, _ files: DiskFiles
    ) -> Result<SourceModel, Refusal> {
        let path = folder + "/" + file
        // Before anything else is asked about it: a reason must not tell what is elsewhere either.
        guard bounds.contains(path) else {
            return .failure(
                Refusal("It is a link to something outside the folder; copy the file itself into the folder."))
        }
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            return .failure(Refusal("It is a folder; if the models are in it, name it instead."))
        }
        guard let size = try? files.size(path) else { return .failure(Refusal("It is not a readable file.")) }
        guard file.hasSuffix(suffix) else {
            return .failure(Refusal("Its name does not end in \(suffix); rename it if it is a model."))
        }
        let name = String(file.dropLast(suffix.count))
        guard WireNames.isDisplayName(name) else {
            return .failure(
                Refusal(
                    "A model's name must have 1 to 32 letters, digits, hyphens or underscores; rename the file."))
        }
        guard size > 0 else { return .failure(Refusal("It is empty; download it again.")) }
        if isMarkup(path) {
            return .failure(
                Refusal(
                    """
                    It contains an error message or a web page instead of a model. The links of a bulk download work for 7 \
                    days: get a new command in the Firebase console.
                    """))
        }
        return .success(SourceModel(name: name, path: path, sizeBytes: size))
    }

    /// Whether it is text in XML or HTML, which is what `curl` saves when a link has expired. A model has the bytes `TFL3` at
    /// offset 4.
    static func isMarkup(_ path: String) -> Bool {
        guard let head = try? FileHandle(forReadingFrom: URL(fileURLWithPath: path)).read(upToCount: 64) else {
            return false
        }
        let first = head.drop { [0x09, 0x0A, 0x0D, 0x20, 0xEF, 0xBB, 0xBF].contains($0) }.first
        return first == UInt8(ascii: "<") && Array(head.dropFirst(4).prefix(4)) != Array("TFL3".utf8)
    }
}
