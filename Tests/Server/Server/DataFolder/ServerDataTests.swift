import Foundation
import HearthBackup
import HearthCalls
import HearthCatalog
import HearthCrypto
import HearthFiles
import HearthMaintenance
import HearthMetrics
import HearthStorage
import HearthStorageS3
import HearthStorageS3TestSupport
import HearthStorageSQL
import HearthStorageSQLite
import HearthStorageTestSupport
import HearthTestSupport
import HearthTransport
import HearthWire
import Synchronization
import Testing

@testable import HearthServer

/// A database and a store that several servers share. They are real, where the environment names them.
@Suite(
    "Shared data",
    .enabled(if: TestDatabase.server != nil && !RealStore.present.isEmpty, "set TEST_POSTGRES and TEST_RADOSGW"))
struct ServerDataTests {
    private let database: TestDatabase
    private let folder: TemporaryFolder
    private let prefix = UUID().uuidString
    private let store: RealStore

    init() throws {
        database = try TestDatabase()
        folder = try TemporaryFolder()
        store = try #require(RealStore.present.first)
    }

    /// What a server with these settings opens.
    private func open(_ database: TestDatabase, prefix: String, folder name: String) throws -> ServerData {
        let client = try store.client(prefix: prefix)
        var configuration = ServerConfiguration()
        configuration.databaseURL = database.url
        configuration.blobsURL =
            "s3://\(client.configuration.bucket)/\(prefix)?endpoint=\(client.configuration.endpoint)"
        return try open(#require(try SharedData(configuration, environment: store.environment)), folder: name)
    }

    private func open(_ shared: SharedData, folder name: String) throws -> ServerData {
        let data = try DataFolder(path: folder.path + "/" + name)
        try DiskFiles().makeFolder(data.path, mode: 0o700)
        return try ServerData(shared, in: data, ServerLog(format: .text, level: .error))
    }

    /// The bytes and a record that names them.
    private func add(_ text: String, _ data: ServerData) throws -> SHA256Digest {
        let blob = try data.blobs.begin(limitBytes: 100)
        try Array(text.utf8).withUnsafeBytes { try blob.write($0) }
        let digest = try blob.seal().sha256
        try blob.commit()
        try data.metadata.write { store in
            try store.insert(Project(id: "project-a", number: 1, createdMicroseconds: 1))
            try store.put(
                UploadedObject(
                    projectID: "project-a", bucket: "b", name: "n", sha256: digest.hex, sizeBytes: 4, crc32c: 0,
                    contentType: "x", createdMicroseconds: 1))
        }
        return digest
    }

    @Test("What one server stores, another one finds")
    func sharing() throws {
        let first = try open(database, prefix: prefix, folder: "first")
        let digest = try add("text", first)
        let second = try open(database, prefix: prefix, folder: "second")
        #expect(second.folderID == first.folderID)
        #expect(try second.metadata.read { try $0.isReferenced(sha256: digest.hex) })
        #expect(try second.blobs.size(of: digest) == 4)
    }

    @Test("No more of an object is taken than the record of its file says")
    func longerObject() throws {
        let first = try open(database, prefix: prefix, folder: "first")
        let digest = try add("text", first)
        try first.metadata.write {
            try $0.put(Validation(sha256: digest.hex, sizeBytes: 4, verdict: .ok, requestedMicroseconds: 1))
        }
        try store.client(prefix: prefix).put("blobs/\(digest.hex)", .bytes([UInt8](repeating: 1, count: 100_000)))
        let second = try open(database, prefix: prefix, folder: "second")
        let error = #expect(throws: StorageError.self) { try second.blobs.open(digest) }
        #expect(error?.code == .corrupt && error?.message.contains("100000 bytes, not 4") == true)
    }

    /// The store is away until the test says otherwise.
    private func open(
        _ database: TestDatabase, throughGate gate: GatedTransport, folder name: String
    ) throws -> ServerData {
        let real = try store.client(prefix: prefix).configuration
        let client = S3Client(
            try S3Configuration(url: "s3://\(real.bucket)/\(prefix)?endpoint=\(real.endpoint)"),
            credentials: try S3Credentials.find(file: nil, environment: store.environment), transport: gate)
        return try open(SharedData(database.configuration, client, cacheBytes: 1 << 20), folder: name)
    }

    @Test("A server starts while the store is away, and has its files when it is back")
    func storeAway() throws {
        let digest = try add("text", open(database, prefix: prefix, folder: "first"))
        let gate = GatedTransport()
        let second = try open(database, throughGate: gate, folder: "second")
        #expect(try second.metadata.read { try $0.projects().count } == 1)
        #expect(!second.blobs.isAnswering && second.blobs.refusal == nil)
        let error = #expect(throws: StorageError.self) { try second.blobs.open(digest) }
        #expect(error?.code == .unavailable)
        gate.isOpen = true
        second.blobs.probe()
        #expect(second.blobs.isAnswering)
        close(try second.blobs.open(digest).descriptor)
    }

    @Test("Model files of other records stay unused when the store is back")
    func otherFilesLater() throws {
        let digest = try add("text", open(database, prefix: prefix, folder: "first"))
        let (stranger, gate) = (try TestDatabase(), GatedTransport())
        let second = try open(stranger, throughGate: gate, folder: "second")
        gate.isOpen = true
        second.blobs.probe()
        #expect(second.blobs.refusal?.contains("belong to other records") == true)
        let error = #expect(throws: StorageError.self) { try second.blobs.open(digest) }
        #expect(error?.code == .unavailable)
    }

    @Test("An operator sees the schema, the last backup and where the shared data are, without keys")
    func status() throws {
        let data = try open(database, prefix: prefix, folder: "first")
        let folder = try DataFolder(path: self.folder.path + "/first")
        let reader = ServerStatusReader(
            configuration: ServerConfiguration(), layout: folder.layout, data: data,
            confirmation: folder.removalConfirmation(data), maintenance: MaintenanceStatus(),
            start: Timestamp(microseconds: 0), connections: { 0 })
        let before = reader.status
        #expect(try data.schema() >= 5)
        #expect(try before.schema == data.schema())
        #expect(before.lastBackupTime == nil && before.deferredRemovals == 0)
        #expect(before.folders?.map(\.name) == ["data"])
        let real = try store.client(prefix: prefix).configuration
        #expect(before.modelStore?.contains(real.bucket) == true && before.database?.isEmpty == false)
        let text = String(decoding: try JSONEncoder().encode(before), as: UTF8.self)
        for key in store.environment.values { #expect(!text.contains(key)) }

        let place = try SharedPlace(
            database: database.url, blobs: "s3://\(real.bucket)/\(prefix)?endpoint=\(real.endpoint)",
            environment: store.environment)
        let time = Timestamp(microseconds: 1_800_000_000_000_000)
        _ = try SharedBackupWriter(place, target: self.folder.path + "/backup", now: time).run()
        try data.metadata.write { try $0.set(.deferredRemovals, "21\n21 of 21 model files that no record names\n") }
        let after = reader.status
        #expect(after.lastBackupTime == "2027-01-15T08:00:00Z" && after.deferredRemovals == 21)
    }

    @Test("Records and model files that do not belong together are refused, and stay as they are")
    func otherFiles() throws {
        let first = try open(database, prefix: prefix, folder: "first")
        _ = try add("text", first)
        let stranger = try TestDatabase()
        let error = #expect(throws: ServerStartError.self) {
            try open(stranger, prefix: prefix, folder: "second")
        }
        #expect(error?.description.contains("belong to other records") == true)
        let empty = #expect(throws: ServerStartError.self) {
            try open(database, prefix: UUID().uuidString, folder: "third")
        }
        #expect(empty?.description.contains("names 1 model files") == true)
        _ = try open(database, prefix: prefix, folder: "fourth")
    }

    @Test("The metrics tell of the database and the store, and have those that alert rules name")
    func metrics() throws {
        let first = try open(database, prefix: prefix, folder: "first")
        let digest = try add("text", first)
        let second = try open(database, prefix: prefix, folder: "second")
        close(try second.blobs.open(digest).descriptor)
        let metrics = ServerMetrics(version: "1", routes: [])
        SharedDataMetrics(metadata: second.metadata, blobs: second.blobs).add(to: metrics)
        let text = metrics.text
        #expect(text.contains(#"hearth_database_connections{pool="readers",state="idle"} 1"#))
        #expect(text.contains(#"hearth_database_connections{pool="readers",state="in_use"} 0"#))
        #expect(text.contains(#"hearth_database_connections_limit{pool="writers"} 4"#))
        #expect(text.contains("hearth_model_store_fetches_total 1\n"))
        #expect(text.contains("hearth_model_store_cache_bytes 4\n"))
        #expect(text.contains("hearth_model_store_failures_total 0\n"))
        let rules = try String(contentsOf: TestPaths.package.appendingPathComponent("docs/alerts.yml"), encoding: .utf8)
        let names = Set(rules.matches(of: /hearth_(database|model_store)_[a-z_]+/).map { String($0.output.0) })
            .filter { !$0.hasSuffix("_available") }
        #expect(names.count >= 2)
        for name in names { #expect(text.contains("\n# TYPE \(name) "), "\(name)") }
    }

    @Test("A folder with records of its own is not given to a server whose records are elsewhere")
    func folderOfItsOwn() throws {
        let layout = DataLayout(folder.path + "/data")
        try DiskFiles().makeFolder(layout.path, mode: 0o700)
        _ = try ServerDatabase.open(layout.database)
        let error = #expect(throws: ServerStartError.self) { try DataFolderLock(layout, isShared: true) }
        #expect(error?.description.contains("has records of its own") == true)
    }
}

/// Marks that a database has about its records.
struct DataMarkStartTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func server() throws -> Server {
        let flags = ["data": folder.path + "/data", "port": "0", "log-level": "error"]
        var configuration = try SettingsReader(flags: flags, environment: [:], file: nil).configuration
        configuration.probeProgram = "/bin/false"
        return try Server(configuration)
    }

    private func tables() throws -> SQLiteTables {
        try SQLiteTables(live: DataLayout(folder.path + "/data").database)
    }

    private func stop(_ server: Server) throws {
        _ = try server.start()
        server.stop()
    }

    @Test("No server starts over a copy that is not complete")
    func incomplete() throws {
        try stop(server())
        let tables = try tables()
        try tables.writing { try tables.transaction.set(.incomplete, "old-data") }
        let error = #expect(throws: ServerStartError.self) { try server() }
        #expect(error?.description.contains("is not complete") == true)
        #expect(error?.description.contains("hearth admin copy (it copies old-data)") == true)
        try tables.writing { try tables.transaction.set(.incomplete, nil) }
        try stop(server())
    }

    @Test("A server starts over records that must not be changed, and stops")
    func readOnly() throws {
        try stop(server())
        let tables = try tables()
        try tables.setReadOnly(ReadOnlyMark(reason: "", now: .now))
        let before = try tables.rows("SELECT name, value FROM counter ORDER BY name", []) {
            $0.text(.name) + $0.text(.value)
        }
        try stop(server())
        let after = try tables.rows("SELECT name, value FROM counter ORDER BY name", []) {
            $0.text(.name) + $0.text(.value)
        }
        #expect(after == before)
    }
}

@Suite("Settings of shared data")
struct SharedDataSettingsTests {
    private func read(_ flags: [String: String]) throws(ServerSettingsError) -> ServerConfiguration {
        try SettingsReader(flags: flags, environment: [:], file: nil).configuration
    }

    @Test("A password or a key in an address is refused, because administrators can read the settings")
    func secrets() {
        for (name, value) in [
            ("database", "postgresql://hearth:secret-word@db.example/hearth"),
            ("database", "postgresql://db.example/hearth?password=secret-word"),
            ("blobs", "s3://key:secret-word@bucket/prefix"),
        ] {
            let error = #expect(throws: ServerSettingsError.self) { try read([name: value]) }
            #expect(error?.description.contains("not belong here") == true, "\(name)")
        }
    }

    @Test("Database and store go together")
    func together() {
        #expect(throws: ServerSettingsError.self) { try read(["database": "postgresql://db.example/hearth"]) }
        #expect(throws: ServerSettingsError.self) { try read(["blobs": "s3://bucket/prefix"]) }
    }
}

/// Reaches nothing until it is opened.
private final class GatedTransport: Transport {
    private let base = CurlTransport(configuration: .init(proxy: .none))
    private let opened = Atomic(false)

    var isOpen: Bool {
        get { opened.load(ordering: .relaxed) }
        set { opened.store(newValue, ordering: .relaxed) }
    }

    func send(
        _ request: TransportRequest, onHead: HeadHandler?, onBody: BodyHandler?
    ) throws(TransportError) -> TransportResponse {
        guard isOpen else { throw .couldNotConnect("store.test") }
        return try base.send(request, onHead: onHead, onBody: onBody)
    }
}
