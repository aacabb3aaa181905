import HearthCatalog
import HearthCrypto
import HearthMaintenance
import HearthStorage
import HearthStorageSQLite
import HearthStorageTestSupport
import HearthTestSupport
import HearthWire
import Synchronization

/// The stores of a data folder with one project, on day 100.
struct MaintenanceFixture {
    static let day: Int64 = 86_400_000_000
    static let now: Int64 = 100 * day

    let metadata: any MetadataStore
    let blobs: any BlobStore
    let blobLock = BlobStoreLock()
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        metadata = try SQLiteMetadataStore(path: folder.path + "/hearth.sqlite")
        blobs = try FileBlobStore(folder: folder.path + "/blobs")
        try metadata.write { try $0.insert(Project(id: "project-a", number: 1, createdMicroseconds: 0)) }
    }

    var backupLock: String { folder.path + "/backup.lock" }

    var waiting: String { folder.path + "/waiting" }
    var confirmation: RemovalConfirmation {
        RemovalConfirmation(RemovalFiles(waiting: waiting, confirmed: folder.path + "/confirmed"))
    }

    /// Confirms removals as an operator does, with their stored form.
    func confirm(_ text: String) throws {
        try confirmation.confirm(
            RemovalConfirmation.Waiting(count: DeferredRemovals(stored: text).count, stored: text))
    }

    /// - Parameter daysLater: than day 100.
    func maintenance(
        _ watched: RecordingMetadataStore? = nil, daysLater: Int64 = 0, confirmation: RemovalConfirmation? = nil,
        servers: any ServerCoordination = SoleServer(), blobs: (any BlobStore)? = nil
    ) -> Maintenance {
        Maintenance(
            metadata: watched ?? metadata, blobs: blobs ?? self.blobs,
            blobLock: BlobStoreLock(servers: servers),
            limits: MaintenanceRules.Limits(unusedUploadDays: 30, uploadSessionDays: 7), backupLock: backupLock,
            confirmation: confirmation ?? self.confirmation,
            now: { Timestamp(microseconds: Self.now + daysLater * Self.day) })
    }

    /// A file in its place, known by an object of that age; returns its hash.
    @discardableResult func upload(_ text: String, daysOld: Int64, verdict: Verdict = .ok) throws -> String {
        let hash = try store(text)
        try metadata.write { store in
            try store.put(object(text, hash, daysOld: daysOld))
            try store.put(Validation(sha256: hash, sizeBytes: 4, verdict: verdict, requestedMicroseconds: 0))
        }
        return hash
    }

    func object(_ name: String, _ hash: String, daysOld: Int64) -> UploadedObject {
        UploadedObject(
            projectID: "project-a", bucket: "bucket", name: name, sha256: hash, sizeBytes: 4, crc32c: 0,
            createdMicroseconds: Self.now - daysOld * Self.day)
    }

    /// A file in its place that no record names.
    @discardableResult func store(_ text: String) throws -> String {
        let blob = try blobs.begin(limitBytes: 1000)
        try Array(text.utf8).withUnsafeBytes { try blob.write($0) }
        let digest = try blob.seal().sha256
        try blob.commit()
        return digest.hex
    }

    /// A model with one version of that file.
    @discardableResult func makeModel(_ name: String, of object: String, _ hash: String) throws -> Model {
        try metadata.write { store in
            let model = Model(
                id: try store.nextModelID(), projectID: "project-a", displayName: name, tags: [], newestVersion: 1,
                createdMicroseconds: 0, updatedMicroseconds: 0)
            try store.insert(model)
            try store.insert(
                ModelVersion(
                    modelID: model.id, number: 1, sha256: hash, sizeBytes: 4, sourceURI: "gs://bucket/\(object)",
                    createdMicroseconds: 0, createdBy: "x"))
            return model
        }
    }

    func begin(_ id: String, daysOld: Int64, sha256: String? = nil) throws {
        try metadata.write { store in
            try store.insert(
                UploadSession(
                    id: id, projectID: "project-a", bucket: "bucket", name: "n", fileName: "n", contentType: "x",
                    totalBytes: nil, crc32c: nil, createdMicroseconds: 0, createdBy: "x",
                    touchedMicroseconds: Self.now - daysOld * Self.day, sha256: sha256))
        }
    }

    func has(_ hash: String) throws -> Bool {
        guard let digest = SHA256Digest(hex: hash) else { return false }
        return try blobs.size(of: digest) != nil
    }

    /// Whether its bytes are still kept out of sight.
    func isInTrash(_ hash: String) throws -> Bool { try blobs.trashedBlobs().contains { $0.digest.hex == hash } }

    var objects: [String] { get throws { try metadata.read { try $0.objects(project: "project-a") }.map(\.name) } }
}

/// Counts what each transaction changes, and lets a test act in between.
final class RecordingMetadataStore: MetadataStore {
    private struct State {
        var reads = 0
        var writes: [Int] = []
        var afterReads: [Int: @Sendable () throws -> Void] = [:]
    }

    private let base: any MetadataStore
    private let state = Mutex(State())

    init(_ base: any MetadataStore) { self.base = base }

    /// How many audit entries and validations fewer or more there were after each write.
    var writes: [Int] { state.withLock { $0.writes } }

    /// By the number of the read, from 1, after which it is called.
    var afterReads: [Int: @Sendable () throws -> Void] {
        get { state.withLock { $0.afterReads } }
        set { state.withLock { $0.afterReads = newValue } }
    }

    var servingRevision: UInt64 { base.servingRevision }
    var isDamaged: Bool { base.isDamaged }

    func read<Result>(_ body: (any MetadataReader) throws -> Result) throws -> Result {
        let result = try base.read(body)
        let action = state.withLock { state in
            state.reads += 1
            return state.afterReads.removeValue(forKey: state.reads)
        }
        try action?()
        return result
    }

    func write<Result>(_ body: (any MetadataWriter) throws -> Result) throws -> Result {
        let before = try size()
        let result = try base.write(body)
        let after = try size()
        state.withLock {
            $0.writes.append(abs(after.audit - before.audit) + abs(after.validations - before.validations))
        }
        return result
    }

    private func size() throws -> (audit: Int, validations: Int) {
        try base.read { store in
            (try store.audit(project: nil, before: nil, limit: .max).count, try store.validations().count)
        }
    }
}

/// A store of which some files belong to this server.
struct BlobsOfServers: ForwardingBlobStore {
    let base: any BlobStore
    let here: Set<String>

    func resumableHere() throws(StorageError) -> [String] { try base.resumable().filter { here.contains($0) } }
    func removeResumableHere(_ id: String) throws(StorageError) {
        if here.contains(id) { try base.removeResumable(id) }
    }
}
