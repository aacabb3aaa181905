import Foundation
import HearthCrypto
import HearthFiles
import HearthManagement
import HearthRouting
import HearthStorage
import HearthStoragePostgres
import HearthStorageS3
import HearthStorageSQLite

/// The records and the model files of a server, opened: in its data folder, or in a database and a store that several
/// servers share.
struct ServerData {
    let metadata: any MetadataStore
    let blobs: any BlobStore
    let signingKeys: any SigningKeyStore
    /// The id of the data, which never changes.
    let folderID: String
    /// Names the database for people.
    let databaseName: String
    let isShared: Bool
    /// Where servers share the data; nil in a folder.
    let shared: SharedAddresses?
    /// The number of the database's schema. It may ask the database.
    let schema: @Sendable () throws -> Int

    /// For people, without passwords and keys.
    struct SharedAddresses {
        var database: String
        var store: String
    }

    /// Opens what the folder contains. Only the owner of the folder's lock calls it.
    init(in folder: DataFolder) throws {
        let store = try ServerDatabase.open(folder.databaseFile)
        try Self.refuseIncomplete(store, folder.path)
        try folder.record(folderID: store.folderID)
        metadata = store
        blobs = try FileBlobStore(folder: folder.blobFolder)
        signingKeys = folder.signingKeys
        folderID = store.folderID
        databaseName = folder.databaseFile
        isShared = false
        self.shared = nil
        schema = { SQLiteSnapshot.schema }
    }

    /// Opens a database and a store that belong together.
    ///
    /// - Parameter log: gets a line while the database cannot be reached, and one if others may connect to it.
    init(_ shared: SharedData, in folder: DataFolder, _ log: ServerLog) throws {
        let store = try shared.database { log.error($0) }
        try Self.refuseIncomplete(store, shared.database.place)
        if let advice = try? store.accessAdvice() { log.notice(advice) }
        metadata = store
        signingKeys = MetadataSigningKeyStore(store)
        folderID = store.folderID
        databaseName = shared.database.place
        blobs = try ServerDatabase.naming(shared.store.configuration.place) {
            let blobs = try S3BlobStore(
                client: shared.store, folder: folder.path, cacheBytes: shared.cacheBytes,
                diskReserveBytes: shared.diskReserveBytes,
                // While the database is away, the disk reserve and the hash are what limits a wrong object.
                recordedSize: { digest in try? store.read { try $0.recordedSize(sha256: digest.hex) } })
            // A store that is away keeps no device from its answers. Until it is back, nobody can know.
            blobs.require { try shared.match(store) }
            blobs.probe()
            if let refusal = blobs.refusal { throw ServerStartError(refusal) }
            return blobs
        }
        isShared = true
        self.shared = SharedAddresses(
            database: shared.database.place, store: shared.store.configuration.place)
        schema = { try store.schema() }
    }

    /// A copy that has not ended may lack records and model files.
    private static func refuseIncomplete(_ store: any MetadataStore, _ place: String) throws {
        guard let source = try ServerDatabase.naming(place, { try store.read { try $0.value(of: .incomplete) } }) else {
            return
        }
        throw ServerStartError(
            """
            The copy in \(place) is not complete. Nothing was changed. Continue it with the same command as before: hearth admin \
            copy (it copies \(source)).
            """)
    }
}

/// Where a database and a store are that several servers share.
struct SharedData: Sendable {
    let database: PostgresConfiguration
    let store: S3Client
    let cacheBytes: UInt64
    let diskReserveBytes: UInt64

    init(_ database: PostgresConfiguration, _ store: S3Client, cacheBytes: UInt64, diskReserveBytes: UInt64 = 0) {
        (self.database, self.store, self.cacheBytes) = (database, store, cacheBytes)
        self.diskReserveBytes = diskReserveBytes
    }

    /// Nil if the server keeps everything in its folder.
    ///
    /// - Throws: if there are no keys for the store.
    init?(_ configuration: ServerConfiguration, environment: [String: String]) throws {
        guard let databaseURL = configuration.databaseURL, let blobsURL = configuration.blobsURL else { return nil }
        var database = try PostgresConfiguration(url: databaseURL)
        database.writers = configuration.databaseWriters
        database.readers = configuration.databaseReaders
        self.database = database
        do throws(S3ConfigurationError) {
            store = S3Client(
                try S3Configuration(url: blobsURL),
                credentials: try S3Credentials.find(file: nil, environment: environment))
        } catch {
            throw ServerStartError("\(error)")
        }
        cacheBytes = configuration.blobCacheMebibytes << 20
        diskReserveBytes = configuration.service.diskReserveMebibytes << 20
    }

    /// How long a start waits for a database that is just being started too.
    private static let patience: Duration = .seconds(60)

    fileprivate func database(note: (String) -> Void) throws -> PostgresMetadataStore {
        let deadline = ContinuousClock.now + Self.patience
        var isNoted = false
        while true {
            do throws(StorageError) {
                return try PostgresMetadataStore(database)
            } catch {
                guard error.code == .unavailable, ContinuousClock.now < deadline else {
                    throw ServerStartError("\(error)", cause: error)
                }
                if !isNoted { note("\(error). The server tries again for a minute.") }
                isNoted = true
                Thread.sleep(forTimeInterval: 0.5)
            }
        }
    }

    /// Makes sure that the records and the model files belong together, as far as anybody can know.
    fileprivate func match(_ records: PostgresMetadataStore) throws {
        let objects = S3Objects(store.withOwnContact())
        if let recorded = try objects.folderID() {
            guard recorded == records.folderID else {
                throw ServerStartError(
                    """
                    The model files in \(store.configuration.place) belong to other records (\(recorded)) than those in \
                    \(database.place) (\(records.folderID)). Nothing was changed. Correct --database or --blobs.
                    """)
            }
            return
        }
        let needed = try records.read { try $0.referencedHashes() }
        let present = Set(try objects.sizes().keys.map(\.hex))
        guard needed.isEmpty == present.isEmpty, needed.isEmpty || !needed.isDisjoint(with: present) else {
            throw ServerStartError(
                """
                \(database.place) names \(needed.count) model files, and \(store.configuration.place) has \(present.count) \
                others. Nothing was changed. Correct --database or --blobs.
                """)
        }
        try objects.record(folderID: records.folderID)
    }
}
