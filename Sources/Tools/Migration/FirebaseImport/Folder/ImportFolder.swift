import Foundation
package import HearthFiles
import HearthWire

/// The folder in which an import keeps what it took from Firebase, as it came: the models' files with their descriptions,
/// the templates, the experiments.
///
/// An interrupted import goes on from it, and it stays as the team's own copy. The import to a server reads only this folder.
/// Only its owner may read it: templates name people, and values may be secret.
///
/// ```text
/// firebase.json                                  the project
/// models/NAME.tflite, models/NAME.json           a model's bytes, and what Firebase says about it
/// models/NAME.sha256                             the hash of the bytes as they came, for `sha256sum --check`
/// remote-config/NAMESPACE/versions.json, 12.json the list of versions; a template with its version
/// experiments.json, rollouts.json                definitions
/// ```
package struct ImportFolder: Sendable {
    /// What `firebase.json` says.
    package struct About: Codable, Sendable {
        /// Nil if the console's command filled it, which names no project.
        package var projectID: String?
        package var format = 1

        static let newestFormat = 1
    }

    package let path: String
    private let files = DiskFiles()
    private var bounds: FolderBounds { FolderBounds(path) }

    package init(_ path: String) { self.path = path }

    /// Whether a folder is one of this kind, and not a folder of files from the console.
    package static func exists(at path: String) -> Bool {
        FileManager.default.fileExists(atPath: path + "/firebase.json")
    }

    private static let longestDocumentBytes = 64 << 20

    // MARK: The project

    /// Makes the folder for a project if it is not there, and keeps other imports out as long as the lock lives.
    ///
    /// - Parameter project: nil for the console's command.
    /// - Throws: `invalidFile` if the folder belongs to another project, or another import uses it.
    package func lock(for project: String?) throws(FirebaseError) -> FileLock {
        try makeFolder("models")
        let lock = try FirebaseError.mappingFileError { () throws(FileError) in try FileLock.tryAcquire("\(path)/.lock")
        }
        guard let lock else {
            throw FirebaseError(
                .invalidFile, "Another import uses the folder \(path). Wait for it, or name another folder.")
        }
        try claim(for: project)
        return lock
    }

    private func claim(for project: String?) throws(FirebaseError) {
        guard let about = try about() else { return try write(About(projectID: project), to: "firebase.json") }
        guard about.projectID == project else {
            throw FirebaseError(
                .invalidFile,
                """
                The folder \(path) has what came from \(Self.source(about.projectID)), not from \(Self.source(project)). Name \
                another folder with --keep.
                """)
        }
    }

    private static func source(_ project: String?) -> String {
        project.map { "the project \($0)" } ?? "a command of the console"
    }

    package func about() throws(FirebaseError) -> About? {
        guard let json = try read("firebase.json") else { return nil }
        let about: About
        do {
            about = try WireJSON.decode(About.self, from: json)
        } catch {
            throw FirebaseError(.invalidFile, "\(path)/firebase.json is damaged; name another folder.", cause: error)
        }
        guard about.format <= About.newestFormat else {
            throw FirebaseError(.invalidFile, "A newer version of hearth wrote the folder \(path). Use that version.")
        }
        return about
    }

    // MARK: Models

    /// The file of a model. The name must be a valid display name.
    func modelFile(_ name: String) -> String { "\(path)/models/\(name).tflite" }

    /// What Firebase says about a model, as it came. The file is whole if this is there.
    package func model(_ name: String) throws(FirebaseError) -> JSONValue? { try document("models/\(name).json") }

    func save(_ model: JSONValue, _ name: String) throws(FirebaseError) {
        try write(bytes: model.pretty, to: "models/\(name).json")
    }

    /// The names of the models with a description, in order.
    func modelNames() throws(FirebaseError) -> [String] { try names(with: ".json") }

    /// The names of the models with bytes, in order.
    func fileNames() throws(FirebaseError) -> [String] { try names(with: ".tflite") }

    private func names(with ending: String) throws(FirebaseError) -> [String] {
        try list("models").filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.utf8.count)) }
            .filter(WireNames.isDisplayName)
    }

    /// The size of a model's file; nil if Firebase gave no bytes.
    package func modelSize(_ name: String) -> UInt64? {
        bounds.hasFile(modelFile(name)) ? try? files.size(modelFile(name)) : nil
    }

    /// Writes down the hash of a model's file, in the form of `sha256sum`.
    ///
    /// - Parameter isConfirmed: whether Google named a hash or a checksum that the bytes have.
    func save(sha256: String, isConfirmed: Bool, _ name: String) throws(FirebaseError) {
        let note = isConfirmed ? Self.confirmation + "\n" : ""
        try write(bytes: Array("\(note)\(sha256)  \(name).tflite\n".utf8), to: "models/\(name).sha256")
    }

    /// The hash that a model's file had when it came; nil if nobody wrote it down.
    func modelHash(_ name: String) -> (sha256: String, isConfirmed: Bool)? {
        let file = "\(path)/models/\(name).sha256"
        guard bounds.hasFile(file), let bytes = try? files.read(file, limitBytes: 1024) else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard let hash = lines.first(where: { !$0.hasPrefix("#") })?.prefix(64), hash.utf8.count == 64 else {
            return nil
        }
        return (String(hash), lines.first.map(String.init) == Self.confirmation)
    }

    private static let confirmation = "# Google names a hash or a checksum that these bytes have."

    /// Deletes the unfinished files of a model: those of bytes that Firebase has replaced meanwhile.
    func removeUnfinished(_ name: String) {
        for file in (try? list("models")) ?? [] where file.hasPrefix("\(name).tflite.") && file.hasSuffix(".partial") {
            try? files.remove("\(path)/models/\(file)")
        }
    }

    // MARK: Remote Config

    /// The list of a template's versions as it came, newest first; empty if the template was not fetched.
    package func versions(_ namespace: String) throws(FirebaseError) -> [JSONValue] {
        try document("remote-config/\(namespace)/versions.json")?.items ?? []
    }

    func save(versions: [JSONValue], _ namespace: String) throws(FirebaseError) {
        try makeFolder("remote-config/\(namespace)")
        try write(bytes: JSONValue.list(versions).pretty, to: "remote-config/\(namespace)/versions.json")
    }

    package func template(_ namespace: String, _ number: Int64) throws(FirebaseError) -> JSONValue? {
        try document("remote-config/\(namespace)/\(number).json")
    }

    func save(template: JSONValue, _ namespace: String, _ number: Int64) throws(FirebaseError) {
        try write(bytes: template.pretty, to: "remote-config/\(namespace)/\(number).json")
    }

    /// Whether the file of a template is undamaged.
    func isReadable(_ namespace: String, _ number: Int64) -> Bool {
        ((try? template(namespace, number)) ?? nil)?["version"] != nil
    }

    /// When a version was made, as its file or the list says; nil if neither does.
    func updateTime(_ namespace: String, _ number: Int64) -> String? {
        if let json = try? template(namespace, number), let time = json["version"]?["updateTime"]?.text { return time }
        let listed = (try? versions(namespace))?.first { $0["versionNumber"]?.integer == number }
        return listed?["updateTime"]?.text
    }

    /// The numbers of the versions that the list has and the folder lacks, highest first.
    func missingTemplateNumbers(_ namespace: String) throws(FirebaseError) -> [Int64] {
        let present = Set(try templateNumbers(namespace))
        return try versions(namespace).compactMap { $0["versionNumber"]?.integer }
            .filter { $0 > 0 && !present.contains($0) }.sorted(by: >)
    }

    /// Whether the folder has a part of Remote Config or experiments, even an empty one.
    package var hasConfiguration: Bool {
        ["remote-config", "experiments.json", "rollouts.json"].contains {
            FileManager.default.fileExists(atPath: "\(path)/\($0)")
        }
    }

    /// The numbers of the templates that are in the folder, highest first.
    package func templateNumbers(_ namespace: String) throws(FirebaseError) -> [Int64] {
        let names = try list("remote-config/\(namespace)")
        return names.filter { $0.hasSuffix(".json") }.compactMap { Int64($0.dropLast(5)) }.sorted(by: >)
    }

    // MARK: Experiments

    /// The definitions as they came.
    package func definitions(_ kind: String) throws(FirebaseError) -> [JSONValue] {
        try document("\(kind).json")?.items ?? []
    }

    func save(definitions: [JSONValue], _ kind: String) throws(FirebaseError) {
        try write(bytes: JSONValue.list(definitions).pretty, to: "\(kind).json")
    }

    // MARK: Files

    /// A fetch takes again what is damaged or missing.
    static let repair = "Run the import with its source again."

    private func document(_ name: String) throws(FirebaseError) -> JSONValue? {
        guard let json = try read(name) else { return nil }
        do {
            return try JSONValue(json: json)
        } catch {
            throw FirebaseError(
                .invalidFile, "\(path)/\(name) is damaged. \(Self.repair)", cause: error)
        }
    }

    private func read(_ name: String) throws(FirebaseError) -> [UInt8]? {
        try check(name)
        do throws(FileError) {
            return try files.read("\(path)/\(name)", limitBytes: Self.longestDocumentBytes)
        } catch {
            guard error.code == .notFound else { throw FirebaseError(error) }
            return nil
        }
    }

    private func list(_ name: String) throws(FirebaseError) -> [String] {
        try check(name)
        do throws(FileError) {
            return try files.list("\(path)/\(name)").sorted()
        } catch {
            guard error.code == .notFound else { throw FirebaseError(error) }
            return []
        }
    }

    /// - Throws: `invalidFile` for what is outside the folder, and for pipes and devices, which have no end.
    private func check(_ name: String) throws(FirebaseError) {
        let entry = "\(path)/\(name)"
        guard bounds.contains(entry) else {
            throw FirebaseError(
                .invalidFile, "\(entry) is a link to something outside the folder; put the file itself there.")
        }
        guard PathKind(following: entry) != .other else {
            throw FirebaseError(.invalidFile, "\(entry) is not a regular file.")
        }
    }

    private func makeFolder(_ name: String) throws(FirebaseError) {
        try check(name)
        try FirebaseError.mappingFileError { () throws(FileError) in
            try files.makeFolder("\(path)/\(name)", mode: 0o700)
        }
    }

    private func write(_ value: some Encodable, to name: String) throws(FirebaseError) {
        guard let json = try? WireJSON.encodePretty(value) else { preconditionFailure("plain texts can be written") }
        try write(bytes: json, to: name)
    }

    /// Replaces the file as a whole.
    private func write(bytes: [UInt8], to name: String) throws(FirebaseError) {
        try check(FilePath.folder(of: name))
        try FirebaseError.mappingFileError { () throws(FileError) in
            try AtomicFile.write(bytes, to: "\(path)/\(name)", mode: 0o600)
        }
    }
}
