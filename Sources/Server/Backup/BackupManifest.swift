import Foundation
import HearthCrypto
import HearthFiles
import HearthStorage

/// The content of a complete backup. Written last: a folder without a manifest is not a backup.
package struct BackupManifest: Codable, Sendable, Equatable {
    /// A small file of the backup.
    package struct File: Codable, Sendable, Equatable {
        /// Relative to the backup's folder.
        package var path: String
        package var sizeBytes: UInt64
        /// Lower-case hex.
        package var sha256: String
    }

    /// A model file of the backup.
    package struct Blob: Codable, Sendable, Equatable {
        package var sha256: String
        package var sizeBytes: UInt64
    }

    /// How many records of each kind the database has.
    package struct Counts: Codable, Sendable, Equatable {
        package var projects = 0
        package var models = 0
        package var versions = 0
        package var releases = 0
        package var uploads = 0
        package var installations = 0
    }

    static let name = "manifest.json"
    static let currentFormat = 1

    /// The format of this file and of the folder.
    package var format: Int
    /// The version of Hearth that made it.
    package var hearth: String
    /// The schema of the database.
    package var schema: Int
    /// RFC 3339.
    package var created: String
    package var counts: Counts
    /// The database, keys and credentials.
    package var files: [File]
    /// The model files, in order of hash.
    package var blobs: [Blob]

    func encoded() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
    }

    /// - Throws: for bytes that are not a manifest, a manifest of a newer form, and names that lead out of the backup.
    init(decoding bytes: [UInt8], path: String) throws(BackupError) {
        struct Version: Decodable { var format: Int }
        let decoder = JSONDecoder()
        guard let version = try? decoder.decode(Version.self, from: Data(bytes)) else {
            throw BackupError(.damaged, "\(path) is damaged: it is not a backup manifest.")
        }
        guard version.format <= Self.currentFormat else {
            throw BackupError(.incompatible, "\(path) was written by a newer Hearth; restore it with that one.")
        }
        guard let manifest = try? decoder.decode(Self.self, from: Data(bytes)), manifest.isPlausible else {
            throw BackupError(.damaged, "\(path) is damaged: it does not describe a backup.")
        }
        self = manifest
    }

    /// Reads the manifest of the backup in a folder.
    ///
    /// - Throws: also if there is none, or it cannot be read.
    init(in backup: DataLayout) throws(BackupError) {
        let path = backup.file(Self.name)
        let bytes: [UInt8]
        do throws(FileError) {
            guard try DiskFiles().size(path) != nil else {
                throw FileError(.notFound, "\(backup.path) is not a complete backup: it has no \(Self.name).")
            }
            bytes = try DiskFiles().read(path, limitBytes: 1 << 30)
        } catch {
            throw BackupError(error.code == .notFound ? .notFound : .io, error.message, cause: error)
        }
        try self.init(decoding: bytes, path: path)
    }

    init(hearth: String, schema: Int, created: String) {
        (format, self.hearth, self.schema, self.created) = (Self.currentFormat, hearth, schema, created)
        (counts, files, blobs) = (Counts(), [], [])
    }

    package var blobBytes: UInt64 { blobs.reduce(0) { $0 &+ $1.sizeBytes } }

    private var isPlausible: Bool {
        files.contains { $0.path == DataLayout.databaseName } && files.allSatisfy { Self.isInside($0.path) }
            && Set(files.map(\.path)).count == files.count
            && files.allSatisfy { SHA256Digest(hex: $0.sha256) != nil }
            && blobs.allSatisfy { SHA256Digest(hex: $0.sha256) != nil }
    }

    /// Whether it is the database, or a file in one of the small folders.
    private static func isInside(_ path: String) -> Bool {
        if path == DataLayout.databaseName { return true }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 2 && DataLayout.smallFolders.contains(String(parts[0])) && !parts[1].isEmpty
            && parts[1] != "." && parts[1] != ".."
    }
}
