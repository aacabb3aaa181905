import Foundation

/// Finds the model, its manifest and the files beside it from any path that a user may pass.
struct BundleOpener {
    /// What was found. Labels are looked up later.
    struct BundleContents {
        var kind: ModelBundle.Kind
        var model: ModelFile
        /// The plain name of the model file.
        var modelName: String
        /// The zip appended to the model.
        var appended: ZipArchive?
        /// The location of the manifest's files or, without a manifest, of label files.
        var files: BundleFiles
        var manifest: ManifestFile?
    }

    struct ManifestFile {
        var content: AutoMLManifest
        var json: [UInt8]
        /// The path on disk; nil in a zip.
        var path: String?
    }

    let limits: BundleLimits

    func open(_ path: String) throws(ModelFileError) -> BundleContents {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            return try openFiles(.folder(path), .folder, "the folder '\(path)'")
        }
        let (folder, name) = Self.split(path)
        if name == DetectionExport.fileName, FileManager.default.fileExists(atPath: path) {
            return try openFiles(.folder(folder), .folder, "the folder '\(folder)'")
        }
        if name.hasSuffix(".json") {
            return try openManifest(name, in: .folder(folder), .folder)
        }
        let bytes = try ModelBytes(contentsOfFile: path, limitBytes: limits.modelBytes)
        if bytes.withUnsafeBytes({ $0.starts(with: [0x50, 0x4B]) }) {
            return try openZip(bytes, "the zip '\(path)'")
        }
        return try openModel(bytes, name, .folder(folder))
    }

    /// Opens a model file whose bytes are in memory, alone or packed. Reads no file.
    func open(_ bytes: ModelBytes) throws(ModelFileError) -> BundleContents {
        try openModel(bytes, "model.tflite", .none)
    }

    /// Opens a model file alone, or one with the bundle's files in its appended zip.
    private func openModel(
        _ bytes: ModelBytes, _ name: String, _ files: BundleFiles
    ) throws(ModelFileError) -> BundleContents {
        let model = try ModelFile(bytes)
        let appended = try ZipArchive(in: bytes, limits: limits.zip)
        var found = BundleContents(kind: .model, model: model, modelName: name, appended: appended, files: files)
        guard let appended else { return found }
        let packed = BundleFiles.archive(appended, prefix: "")
        let manifestName = try AutoMLManifest.name(among: packed.names())
        if manifestName != nil || packed.has(DetectionExport.fileName) {
            found.kind = .packedModel
            found.files = packed
        }
        found.manifest = try manifestName.map { name throws(ModelFileError) in try readManifest(name, from: packed) }
        return found
    }

    /// Opens an exported zip, with its files at the top level or in one folder.
    func openZip(_ bytes: ModelBytes, _ text: String) throws(ModelFileError) -> BundleContents {
        guard let archive = try ZipArchive(in: bytes, limits: limits.zip) else {
            throw ModelFileError(.invalidBundle, "\(text) is damaged or cut short: its end is missing")
        }
        // Some systems add folders whose names begin with an underscore or a dot, with information about the files.
        let prefixes = Set(
            archive.members.map(\.name).filter { $0.hasSuffix(".json") || $0.hasSuffix(".tflite") }
                .filter { !$0.hasPrefix("_") && !$0.hasPrefix(".") && $0.split(separator: "/").count <= 2 }
                .map { name in name.lastIndex(of: "/").map { String(name[...$0]) } ?? "" })
        guard let prefix = prefixes.contains("") ? "" : prefixes.first, prefixes.contains("") || prefixes.count == 1
        else {
            throw ModelFileError(
                .invalidBundle,
                "\(text) must have the model's files at its top level or in one folder, and no other folder with "
                    + ".json or .tflite files")
        }
        return try openFiles(.archive(archive, prefix: prefix), .zip, text)
    }

    /// Opens a folder by its manifest, else by the only model in it.
    private func openFiles(
        _ files: BundleFiles, _ kind: ModelBundle.Kind, _ text: String
    ) throws(ModelFileError) -> BundleContents {
        let names = try files.names()
        if let manifest = try AutoMLManifest.name(among: names) {
            return try openManifest(manifest, in: files, kind)
        }
        let models = names.filter { $0.hasSuffix(".tflite") && !$0.hasPrefix(".") }
        guard let name = models.first, models.count == 1 else {
            throw ModelFileError(
                .invalidBundle,
                models.isEmpty
                    ? "\(text) has no manifest.json and no .tflite model"
                    : "\(text) has no manifest.json and more than one .tflite model; "
                        + "\(kind == .zip ? "unpack it, and use" : "use") one of these files")
        }
        var found = try openModel(files.model(name, limitBytes: limits.modelBytes), name, files)
        if found.kind == .model { found.kind = kind }
        return found
    }

    private func openManifest(
        _ name: String, in files: BundleFiles, _ kind: ModelBundle.Kind
    ) throws(ModelFileError) -> BundleContents {
        let manifest = try readManifest(name, from: files)
        let modelName = manifest.content.modelFile
        guard files.has(modelName) else {
            throw ModelFileError(
                .notFound, "the manifest names the model \(modelName.quoted), which is not beside it")
        }
        let bytes = try files.model(modelName, limitBytes: limits.modelBytes)
        return BundleContents(
            kind: kind, model: try ModelFile(bytes), modelName: modelName,
            appended: try ZipArchive(in: bytes, limits: limits.zip), files: files, manifest: manifest)
    }

    private func readManifest(_ name: String, from files: BundleFiles) throws(ModelFileError) -> ManifestFile {
        let json = try files.text(name, limitBytes: AutoMLManifest.maximumByteCount)
        var manifest = ManifestFile(content: try AutoMLManifest(json: json), json: json)
        if case .folder(let path) = files { manifest.path = BundleFiles.path(of: name, in: path) }
        return manifest
    }

    /// The folder and the plain name of a path.
    static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        return (String(path[...slash]), String(path[path.index(after: slash)...]))
    }
}
