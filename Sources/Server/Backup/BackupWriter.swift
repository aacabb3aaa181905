import Foundation
import HearthCrypto
import HearthFiles
import HearthStorage
import HearthStorageSQLite
package import HearthWire

/// Copies a data folder into a backup, also while a server uses it. The backup is complete, or does not exist.
///
/// First it makes a consistent copy of the database, then it copies every model file that the copy needs, checked
/// against its hash, then the server's keys and credentials. Unfinished uploads are not part of a backup.
package struct BackupWriter {
    private let source: DataLayout
    private let target: BackupTarget
    private let now: Timestamp
    private let copier = CheckedCopy()

    /// A server may remove an unused file between the copy of the database and the copy of the file. A newer copy of the
    /// database does not need that file. If it still does, the file is missing.
    private static let attempts = 5

    /// - Parameters:
    ///   - data: the data folder.
    ///   - target: the backup's folder, which must not exist; its parent folders may be missing.
    package init(data: String, target: String, now: Timestamp) {
        source = DataLayout(data)
        self.target = BackupTarget(target)
        self.now = now
    }

    /// Blocks until the backup is durable.
    package func run() throws -> BackupManifest {
        guard try DiskFiles().size(source.database) != nil else {
            throw BackupError(.notFound, "\(source.path) is not a data folder of a Hearth server: it has no database.")
        }
        try target.checkIsFree()
        guard !FolderNesting.isInside(target.path, source.path) else {
            throw BackupError(
                .insideData,
                "\(target.path) is inside the data folder \(source.path), and both would be lost together; choose a place outside of it."
            )
        }
        // Until the end, the server that uses the folder removes nothing.
        let lock = try FileLock.acquire(source.backupLock)
        defer { withExtendedLifetime(lock) {} }
        let manifest = try DiskFullError.naming(target.path, write)
        recordTime()
        return manifest
    }

    /// For those who ask the server when there was a backup. The backup is whole without it, so a folder that cannot be
    /// written to is no failure.
    private func recordTime() {
        try? AtomicFile.write(Array((now.rfc3339(fractionDigits: 0) + "\n").utf8), to: source.lastBackupFile)
    }

    private func write() throws -> BackupManifest {
        let work = try target.staging()
        let place = DataLayout(work.folder)
        for folder in place.folders { try DiskFiles().makeFolder(folder, mode: 0o700) }
        var manifest = BackupManifest(
            hearth: HearthVersion.text, schema: SQLiteSnapshot.schema, created: now.rfc3339(fractionDigits: 3))
        try copyDatabaseAndBlobs(to: place, &manifest)
        try copySmallFiles(to: place, &manifest)
        for folder in place.folders { try DiskFiles().synchronizeFolder(folder) }
        try AtomicFile.write(manifest.encoded(), to: place.file(BackupManifest.name))
        try work.finish()
        return manifest
    }

    private func copyDatabaseAndBlobs(to place: DataLayout, _ manifest: inout BackupManifest) throws {
        var missingBefore: Set<SHA256Digest> = []
        for _ in 1...Self.attempts {
            let records = try copyDatabase(to: place, &manifest)
            manifest.blobs = []
            let missing = try copyBlobs(records.requiredBlobs, to: place, &manifest)
            let absent = try copyBlobs(records.optionalBlobs, to: place, &manifest)
            manifest.blobs.removeAll { blob in absent.contains { $0.hex == blob.sha256 } }
            if missing.isEmpty {
                return try removeUnneeded(
                    Set(records.requiredBlobs.keys).union(records.optionalBlobs.keys), from: place)
            }
            guard missing.isDisjoint(with: missingBefore) else { break }
            missingBefore = missing
        }
        throw BackupError(
            .damaged, "Model files are missing in \(source.blobFolder); `hearth admin verify` says which.")
    }

    private func copyDatabase(to place: DataLayout, _ manifest: inout BackupManifest) throws -> RecordCheck {
        if try DiskFiles().size(place.database) != nil { try DiskFiles().remove(place.database) }
        try SQLiteSnapshot(live: source.database).write(to: place.database)
        try makeDurable(place.database)
        let digest = try FileDigest.sha256(place.database)
        let size = try DiskFiles().size(place.database) ?? 0
        manifest.files = [.init(path: DataLayout.databaseName, sizeBytes: size, sha256: digest.hex)]
        let records = try SQLiteSnapshot(copy: place.database).read { try RecordCheck($0) }
        manifest.counts = records.counts
        return records
    }

    /// - Returns: the files that are missing in the data folder.
    private func copyBlobs(
        _ needed: [SHA256Digest: UInt64], to place: DataLayout, _ manifest: inout BackupManifest
    ) throws -> Set<SHA256Digest> {
        var missing: Set<SHA256Digest> = []
        for (digest, size) in needed.sorted(by: { $0.key.hex < $1.key.hex }) {
            manifest.blobs.append(.init(sha256: digest.hex, sizeBytes: size))
            if try DiskFiles().size(place.blob(digest)) != nil { continue }
            guard let copy = try copyIfPresent(source.blob(digest), to: place.blob(digest)) else {
                missing.insert(digest)
                continue
            }
            guard copy == CheckedCopy.Result(digest: digest, sizeBytes: size) else {
                throw BackupError(
                    .damaged,
                    """
                    \(source.blob(digest)) is damaged: its bytes are not those of its name. Upload the model again, or \
                    restore an older backup.
                    """)
            }
        }
        return missing
    }

    private func copyIfPresent(_ file: String, to target: String) throws(FileError) -> CheckedCopy.Result? {
        do throws(FileError) {
            return try copier.copy(file, to: target)
        } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
    }

    /// Removes files that only an earlier copy of the database needed.
    private func removeUnneeded(_ needed: Set<SHA256Digest>, from place: DataLayout) throws {
        for name in try DiskFiles().list(place.blobFolder) {
            if let digest = SHA256Digest(hex: name), !needed.contains(digest) {
                try DiskFiles().remove(place.blob(digest))
            }
        }
    }

    private func copySmallFiles(to place: DataLayout, _ manifest: inout BackupManifest) throws {
        for folder in DataLayout.smallFolders {
            // A file that is being replaced has a temporary name until then.
            for name in try DiskFiles().list(source.file(folder)) where !AtomicFile.isTemporary(name) {
                let path = folder + "/" + name
                guard try DiskFiles().size(source.file(path)) != nil else { continue }
                let copy = try copier.copy(source.file(path), to: place.file(path))
                manifest.files.append(.init(path: path, sizeBytes: copy.sizeBytes, sha256: copy.digest.hex))
            }
        }
    }

    private func makeDurable(_ path: String) throws {
        chmod(path, 0o600)
        guard let file = try DiskFiles().appendFile(path, mode: 0o600) else { return }
        try file.synchronize()
    }
}
