import Foundation
import HearthCrypto
import HearthFiles
import HearthWire

/// The folder in which an import keeps what it took from Firebase, as it came: the models' files with their descriptions,
/// the templates, the experiments.
///
/// An interrupted import goes on from it, and it stays as the team's own copy. The import to a server reads only this folder.
///
/// ```text
/// firebase.json                                  the project
/// models/NAME.tflite, models/NAME.json           a model's bytes, and what Firebase says about it
/// remote-config/NAMESPACE/versions.json, 12.json the list of versions; a template with its version
/// experiments.json, rollouts.json                definitions
/// ```
package struct ImportFolder: Sendable {
    /// What `firebase.json` says.
    package struct About: Codable, Sendable {
        package var projectID: String
        package var format = 1
    }

    package let path: String
    private let files = DiskFiles()

    package init(_ path: String) { self.path = path }

    /// Whether a folder is one of this kind, and not a folder of files from the console.
    package static func exists(at path: String) -> Bool {
        FileManager.default.fileExists(atPath: path + "/firebase.json")
    }

    private static let longestDocumentBytes = 64 << 20

    // MARK: The project

    /// Makes the folder for a project, or opens it if it belongs to the same one.
    package func open(for project: String) throws(FirebaseError) {
        if let about = try about() {
            guard about.projectID == project else {
                throw FirebaseError(
                    .invalidFile,
                    "The folder \(path) belongs to the project \(about.projectID), not to \(project). Name another folder."
                )
            }
            return
        }
        try makeFolder("models")
        try write(About(projectID: project), to: "firebase.json")
    }

    package func about() throws(FirebaseError) -> About? {
        guard let json = try read("firebase.json") else { return nil }
        do {
            return try WireJSON.decode(About.self, from: json)
        } catch {
            throw FirebaseError(.invalidFile, "\(path)/firebase.json is damaged; name another folder.", cause: error)
        }
    }

    // MARK: Models

    /// The file of a model. The name must be a valid display name.
    func modelFile(_ name: String) -> String { "\(path)/models/\(name).tflite" }

    /// What Firebase says about a model, as it came. The file is whole if this is there.
    package func model(_ name: String) throws(FirebaseError) -> JSONValue? { try document("models/\(name).json") }

    func save(_ model: JSONValue, _ name: String) throws(FirebaseError) {
        try write(model.pretty, to: "models/\(name).json")
    }

    /// By name.
    package func models() throws(FirebaseError) -> [(name: String, about: JSONValue)] {
        var models: [(String, JSONValue)] = []
        for file in try list("models") where file.hasSuffix(".json") {
            let name = String(file.dropLast(".json".utf8.count))
            guard WireNames.isDisplayName(name), let about = try model(name) else { continue }
            models.append((name, about))
        }
        return models
    }

    /// The size of a model's file; nil if Firebase gave no bytes.
    package func modelSize(_ name: String) -> UInt64? { try? files.size(modelFile(name)) }

    // MARK: Remote Config

    /// The list of a template's versions as it came, newest first; empty if the template was not fetched.
    package func versions(_ namespace: String) throws(FirebaseError) -> [JSONValue] {
        try document("remote-config/\(namespace)/versions.json")?.items ?? []
    }

    func save(versions: [JSONValue], _ namespace: String) throws(FirebaseError) {
        try makeFolder("remote-config/\(namespace)")
        try write(JSONValue.list(versions).pretty, to: "remote-config/\(namespace)/versions.json")
    }

    package func template(_ namespace: String, _ number: Int64) throws(FirebaseError) -> JSONValue? {
        try document("remote-config/\(namespace)/\(number).json")
    }

    func save(template: JSONValue, _ namespace: String, _ number: Int64) throws(FirebaseError) {
        try write(template.pretty, to: "remote-config/\(namespace)/\(number).json")
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
        try write(JSONValue.list(definitions).pretty, to: "\(kind).json")
    }

    // MARK: Files

    private func document(_ name: String) throws(FirebaseError) -> JSONValue? {
        guard let json = try read(name) else { return nil }
        do {
            return try JSONValue(json: json)
        } catch {
            throw FirebaseError(
                .invalidFile, "\(path)/\(name) is damaged. Delete it and run the command again.", cause: error)
        }
    }

    private func read(_ name: String) throws(FirebaseError) -> [UInt8]? {
        do throws(FileError) {
            return try files.read("\(path)/\(name)", limitBytes: Self.longestDocumentBytes)
        } catch {
            guard error.code == .notFound else { throw FirebaseError(error) }
            return nil
        }
    }

    private func list(_ name: String) throws(FirebaseError) -> [String] {
        do throws(FileError) {
            return try files.list("\(path)/\(name)").sorted()
        } catch {
            guard error.code == .notFound else { throw FirebaseError(error) }
            return []
        }
    }

    private func makeFolder(_ name: String) throws(FirebaseError) {
        do {
            try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: true)
        } catch {
            throw FirebaseError(.invalidFile, "Cannot make the folder \(path)/\(name).", cause: error)
        }
    }

    private func write(_ value: some Encodable, to name: String) throws(FirebaseError) {
        guard let json = try? WireJSON.encodePretty(value) else { preconditionFailure("plain texts can be written") }
        try write(json, to: name)
    }

    /// Replaces the file as a whole.
    private func write(_ bytes: [UInt8], to name: String) throws(FirebaseError) {
        try FirebaseError.reading { () throws(FileError) in
            try AtomicFile.write(bytes, to: "\(path)/\(name)", mode: 0o644)
        }
    }
}
