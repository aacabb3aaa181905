import Glibc
import HearthCatalog
import HearthCrypto
import HearthFiles
import HearthStorage
import HearthStoragePostgres
import HearthStorageSQL
import HearthStorageSQLite
package import HearthWire

/// Copies a database and a store that servers share into a backup, while they work. The backup has the form of that of a
/// folder, so it can be restored to a folder, or copied to a database and a store. It is complete, or does not exist.
///
/// All records are of one moment. Until the end, no server removes model files.
package struct SharedBackupWriter {
    private let source: SharedPlace
    private let target: BackupTarget
    private let now: Timestamp

    /// - Parameter target: the backup's folder, which must not exist; its parent folders may be missing.
    package init(_ source: SharedPlace, target: String, now: Timestamp) {
        self.source = source
        self.target = BackupTarget(target)
        self.now = now
    }

    /// Blocks until the backup is durable.
    package func run() throws -> BackupManifest {
        try target.checkIsFree()
        return try DiskFullError.naming(target.path, write)
    }

    private func write() throws -> BackupManifest {
        let records = try PostgresTables(source.database)
        // Before the moment of the backup.
        try records.keepBlobs()
        let work = try target.staging()
        let place = DataLayout(work.folder)
        for folder in place.folders { try DiskFiles().makeFolder(folder, mode: 0o700) }
        var manifest = BackupManifest(
            hearth: HearthVersion.text, schema: SQLiteSnapshot.schema, created: now.rfc3339(fractionDigits: 3))
        try records.reading {
            if try records.store.value(of: .incomplete) != nil {
                throw BackupError(
                    .damaged, "The copy in \(source.name) is not complete, so there is nothing to back up.")
            }
            try copyDatabase(records, to: place)
            try copyBlobs(try RecordCheck(records.store), to: place, &manifest)
        }
        manifest.counts = try SQLiteSnapshot(copy: place.database).read { try RecordCheck($0) }.counts
        manifest.files = try Self.files(in: place)
        for folder in place.folders { try DiskFiles().synchronizeFolder(folder) }
        try AtomicFile.write(manifest.encoded(), to: place.file(BackupManifest.name))
        try work.finish()
        recordTime(records)
        return manifest
    }

    /// For those who ask a server when there was a backup. The backup is whole without it, so a database that this program may
    /// only read is no failure.
    private func recordTime(_ records: PostgresTables) {
        _ = try? records.writing { try records.transaction.set(.lastBackup, now.rfc3339(fractionDigits: 0)) }
    }

    private func copyDatabase(_ source: PostgresTables, to place: DataLayout) throws {
        let copy = try SQLiteTables(updating: place.database)
        let plan = try CopyPlan(from: source.tables(), to: copy.tables())
        try copy.writing { try copy.run("DELETE FROM counter") }
        for table in plan.tables { _ = try TableCopier(source: source, target: copy).copy(table) }
        let keys = FileSigningKeyStore(firstPath: place.secret)
        let id = try source.folderID()
        try copy.writing {
            for key in try source.store.signingKeys() { try keys.add(key, in: copy.transaction.store) }
            try copy.run("UPDATE folder SET id = ?", [.text(id)])
            // What the copy noted about itself, and that the servers' records are read-only.
            try copy.run("DELETE FROM data_mark")
        }
        try copy.makeSingleFile()
        chmod(place.database, 0o600)
    }

    private func copyBlobs(_ records: RecordCheck, to place: DataLayout, _ manifest: inout BackupManifest) throws {
        let store = StoreBlobs(objects: source.objects)
        let present = try store.sizes()
        let blobs = FolderBlobs(layout: place, files: try FileBlobStore(folder: place.blobFolder))
        let needed = records.neededBlobs(amongOptional: { present[$0] != nil })
        for (digest, size) in needed.sorted(by: { $0.key.hex < $1.key.hex }) {
            guard present[digest] == size else {
                throw BackupError(
                    .damaged,
                    """
                    The model file \(digest.hex) is \(present[digest] == nil ? "missing" : "damaged") in \(store.name); \
                    `hearth admin verify` says more.
                    """)
            }
            try blobs.add(digest, size: size, from: store)
            manifest.blobs.append(.init(sha256: digest.hex, sizeBytes: size))
        }
    }

    /// All but the model files.
    private static func files(in place: DataLayout) throws -> [BackupManifest.File] {
        var paths = [DataLayout.databaseName]
        for folder in DataLayout.smallFolders {
            paths += try DiskFiles().list(place.file(folder)).sorted().map { "\(folder)/\($0)" }
        }
        return try paths.map { path in
            BackupManifest.File(
                path: path, sizeBytes: try DiskFiles().size(place.file(path)) ?? 0,
                sha256: try FileDigest.sha256(place.file(path)).hex)
        }
    }
}
