import Foundation
import Glibc
import HearthBackup
import HearthCatalog
import HearthCrypto
import HearthFiles
import HearthStorage
import HearthStorageSQLite
import HearthTestSupport
import HearthWire
import Synchronization

/// A data folder as a server leaves it: a project, two models with three versions, an upload that no model uses, and one
/// malformed file whose bytes are gone.
final class SampleData {
    static let now = Timestamp(microseconds: 1_800_000_000_000_000)

    /// A further signing key, as a rotation leaves it, and a first one that is retired.
    static let secondKey = """
        {"createTime": "2027-01-15T08:00:00Z", "secret": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"}
        """
    static let retiredKey = """
        {"createTime": "2027-01-15T08:00:00Z", "retireTime": "2027-01-16T08:00:00Z", "installationHashKey": "AAEC"}
        """

    let folder: TemporaryFolder
    let path: String
    let store: SQLiteMetadataStore
    let layout: DataLayout
    /// By what is in them.
    private(set) var digests: [String: SHA256Digest] = [:]

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path + "/data"
        layout = DataLayout(path)
        for name in [path] + layout.folders { try DiskFiles().makeFolder(name, mode: 0o700) }
        store = try SQLiteMetadataStore(path: layout.database)
        for name in ["", "-wal", "-shm"] { chmod(layout.database + name, 0o600) }
        try AtomicFile.write([UInt8](repeating: 7, count: 32), to: layout.secret)
        try AtomicFile.write(Array("{}".utf8), to: layout.adminCredentials)
        try store.write { store in
            try store.insert(Project(id: "project-a", number: 1, createdMicroseconds: 1))
            try store.insert(
                Installation(projectID: "project-a", fid: "f", appID: "1:1:ios:a", createdMicroseconds: 1))
        }
        try addModel(1_000_001, "flowers", ["roses", "tulips"])
        try addModel(1_000_002, "digits", ["roses"], isPublished: true)
        try addUpload("unused")
        try addUpload("malformed", verdict: .malformed("broken"))
    }

    /// Records bytes and makes them visible.
    @discardableResult
    func addUpload(_ contents: String, verdict: Verdict = .ok) throws -> SHA256Digest {
        let digest = SHA256Hasher.hash(Array(contents.utf8))
        digests[contents] = digest
        if case .malformed = verdict {} else { try AtomicFile.write(Array(contents.utf8), to: layout.blob(digest)) }
        let size = UInt64(contents.utf8.count)
        try store.write { store in
            try store.put(
                Validation(
                    sha256: digest.hex, sizeBytes: size, verdict: verdict, requestedMicroseconds: 1,
                    finishedMicroseconds: 2))
            try store.put(
                UploadedObject(
                    projectID: "project-a", bucket: "project-a.hearth", name: contents, sha256: digest.hex,
                    sizeBytes: size, crc32c: 0, createdMicroseconds: 1))
        }
        return digest
    }

    /// Records a file that is no model, and whose bytes are there.
    func addMalformed(_ contents: String) throws -> SHA256Digest {
        let digest = try addUpload(contents, verdict: .malformed("It is no model."))
        try AtomicFile.write(Array(contents.utf8), to: layout.blob(digest))
        return digest
    }

    func addModel(_ id: Int64, _ name: String, _ contents: [String], isPublished: Bool = false) throws {
        let digests = try contents.map { try addUpload($0) }
        try store.write { store in
            try store.insert(
                Model(
                    id: id, projectID: "project-a", displayName: name, tags: [], newestVersion: contents.count,
                    isPublished: isPublished, releasedVersion: isPublished ? contents.count : nil,
                    createdMicroseconds: 1, updatedMicroseconds: 1))
            for (index, digest) in digests.enumerated() {
                try store.insert(
                    ModelVersion(
                        modelID: id, number: index + 1, sha256: digest.hex,
                        sizeBytes: UInt64(contents[index].utf8.count), sourceURI: "gs://b/o", createdMicroseconds: 1,
                        createdBy: "a"))
            }
            if isPublished {
                try store.insert(
                    Release(
                        modelID: id, number: 1, version: contents.count, kind: .publish, createdMicroseconds: 1,
                        createdBy: "a"))
            }
        }
    }

    func backup(_ name: String = "backup") throws -> (path: String, manifest: BackupManifest) {
        let target = folder.path + "/" + name
        return (target, try BackupWriter(data: path, target: target, now: Self.now).run())
    }

    func verify() throws -> DataVerifier.Report { try DataVerifier(data: path).run() }

    /// The names in a folder and below it.
    static func contents(_ path: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: path).sorted()
    }
}

/// Ends a thread's loop.
final class StopFlag: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .relaxed) }

    func set() { flag.store(true, ordering: .relaxed) }
}
