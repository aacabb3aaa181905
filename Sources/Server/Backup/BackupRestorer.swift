import Foundation
import HearthCrypto
import HearthFiles
import HearthStorage
import HearthStorageSQLite

/// Turns a backup into a data folder, completely or not at all. Every byte is checked before the folder gets its name.
package struct BackupRestorer {
    private let backup: DataLayout
    private let target: String
    private let copier = CheckedCopy()

    /// - Parameters:
    ///   - backup: the backup's folder.
    ///   - target: the new data folder; it must be missing or empty.
    package init(backup: String, target: String) {
        self.backup = DataLayout(backup)
        self.target = target.count > 1 && target.hasSuffix("/") ? String(target.dropLast()) : target
    }

    /// Blocks until the data folder is durable.
    package func run() throws -> BackupManifest {
        let manifest = try BackupManifest(in: backup)
        guard manifest.schema <= SQLiteSnapshot.schema else {
            throw BackupError(
                .incompatible,
                "\(backup.path) was made by Hearth \(manifest.hearth), which is newer; restore it with that one.")
        }
        guard !FolderNesting.isInside(target, backup.path) else {
            throw BackupError(
                .insideData, "\(target) is inside the backup \(backup.path); choose a place outside of it.")
        }
        if FileManager.default.fileExists(atPath: target) {
            guard let entries = try? FileManager.default.contentsOfDirectory(atPath: target), entries.isEmpty else {
                throw BackupError(.exists, "\(target) is not empty; restore into a new folder.")
            }
        }
        return try DiskFullError.naming(target) { try restore(manifest) }
    }

    private func restore(_ manifest: BackupManifest) throws -> BackupManifest {
        let work = try StagingDirectory(for: target, mark: ".restoring")
        let place = DataLayout(work.folder)
        for folder in place.folders { try DiskFiles().makeFolder(folder, mode: 0o700) }
        for file in manifest.files { try copy(file.path, to: place, file.sha256, file.sizeBytes) }
        for blob in manifest.blobs { try copy("blobs/" + blob.sha256, to: place, blob.sha256, blob.sizeBytes) }
        try checkRecords(place, manifest)
        for folder in place.folders { try DiskFiles().synchronizeFolder(folder) }
        try work.finish()
        return manifest
    }

    private func copy(_ name: String, to place: DataLayout, _ sha256: String, _ sizeBytes: UInt64) throws {
        guard try DiskFiles().size(backup.file(name)) != nil else {
            throw BackupError(.damaged, "\(backup.file(name)) is missing. Use another backup.")
        }
        let copy = try copier.copy(backup.file(name), to: place.file(name))
        guard copy.digest.hex == sha256, copy.sizeBytes == sizeBytes else {
            throw BackupError(
                .damaged, "\(backup.file(name)) is damaged: its bytes are not those backed up. Use another backup.")
        }
    }

    /// An older schema is not checked here: the server that starts on the folder brings it up to date.
    private func checkRecords(_ place: DataLayout, _ manifest: BackupManifest) throws {
        guard manifest.schema == SQLiteSnapshot.schema else { return }
        let records = try SQLiteSnapshot(copy: place.database).read { try RecordCheck($0) }
        let present = Set(manifest.blobs.map(\.sha256))
        guard records.requiredBlobs.keys.allSatisfy({ present.contains($0.hex) }) else {
            throw BackupError(.damaged, "\(backup.path) lacks model files that its database needs. Use another backup.")
        }
    }
}
