import HearthCatalog
import HearthCrypto
import HearthFiles
import HearthStorage
import HearthStoragePostgres
import HearthStorageSQL
import HearthStorageSQLite
import HearthWire

/// What a copy is made of. It does not change meanwhile: it is read-only for its servers, or a backup.
struct CopySource {
    let name: String
    let tables: any TableConnection
    let blobs: any BlobPlace
    let folderID: String
    /// Differs as soon as the records may have changed.
    private(set) var state: String
    /// Where the signing keys are, if they are files.
    let keyFiles: FileSigningKeyStore?
    let isBackup: Bool

    /// Changes nothing yet.
    init(_ place: DataPlace) throws {
        (name, state) = (place.name, "")
        switch place {
        case .folder(let path):
            let layout = DataLayout(path)
            guard try DiskFiles().size(layout.database) != nil else {
                throw BackupError(.notFound, "\(path) is not a data folder of a Hearth server: it has no database.")
            }
            // Its keys, which are files of their own, have no place in a database.
            guard try DiskFiles().size(layout.mirroredKeys) == nil else {
                throw BackupError(
                    .damaged,
                    """
                    \(path) is, or was, the folder of a follower, and has keys of its former main server that cannot be copied. \
                    When it is that of a main server (hearth follow --promote), end them while the server runs: \
                    `hearth keys signing retire former`. The devices that registered before the promotion register again then.
                    """
                )
            }
            isBackup = try DiskFiles().size(layout.file(BackupManifest.name)) != nil
            if isBackup {
                if let problem = try ManifestCheck(layout: layout).problems().first {
                    throw BackupError(.damaged, "\(problem.subject) is damaged: \(problem.text). Use another backup.")
                }
                tables = try SQLiteTables(copy: layout.database)
            } else {
                tables = try Self.open(layout)
            }
            blobs = FolderBlobs(layout: layout)
            keyFiles = FileSigningKeyStore(firstPath: layout.secret)
        case .shared(let shared):
            isBackup = false
            tables = try PostgresTables(shared.database)
            blobs = StoreBlobs(objects: shared.objects)
            keyFiles = nil
        }
        folderID = try tables.folderID()
        if let copied = try tables.reading({ try tables.store.value(of: .incomplete) }) {
            throw BackupError(.damaged, "The copy in \(place.name) is not complete itself (it copies \(copied)).")
        }
        if isBackup { state = "backup of \(try FileDigest.sha256(DataLayout(place.name).database).hex)" }
    }

    /// Makes the place read-only, unless it is so already, or a backup.
    mutating func begin(reason: String, now: Timestamp) throws {
        if !isBackup { state = try Self.makeReadOnly(tables, reason: reason, now: now).id }
    }

    /// A database that a server uses is not brought up to date here: the server would be of an earlier version, which does
    /// not know that records can be read-only.
    private static func open(_ layout: DataLayout) throws -> SQLiteTables {
        guard let lock = try FileLock.tryAcquire(folder: layout.path) else {
            return try SQLiteTables(live: layout.database)
        }
        defer { withExtendedLifetime(lock) {} }
        return try SQLiteTables(updating: layout.database)
    }

    private static func makeReadOnly(
        _ tables: any TableConnection, reason: String, now: Timestamp
    ) throws -> ReadOnlyMark {
        if let known = try tables.reading({ try tables.store.value(of: .readOnly) }) { return ReadOnlyMark(known) }
        let mark = ReadOnlyMark(reason: reason, now: now)
        try tables.setReadOnly(mark)
        return mark
    }

    /// Whether the records are those with which the copy began. Not inside a transaction.
    func isUnchanged() throws -> Bool {
        guard !isBackup else { return true }
        return try tables.reading { try tables.store.value(of: .readOnly) }.map { ReadOnlyMark($0).id } == state
    }

    /// Inside a transaction that reads.
    func signingKeys() throws -> [SigningKey] { try keyFiles?.load() ?? tables.store.signingKeys() }
}
