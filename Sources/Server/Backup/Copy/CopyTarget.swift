import Foundation
import Glibc
import HearthCatalog
import HearthFiles
import HearthStorage
import HearthStoragePostgres
import HearthStorageSQL
import HearthStorageSQLite
import HearthWire

/// Where a copy is made. Until it is complete, it says so, and no server starts over it.
final class CopyTarget {
    let name: String
    let tables: any TableConnection
    let blobs: any BlobPlace
    /// Nil if the signing keys are in the database.
    private let keyFile: String?
    private let locks: [FileLock]

    /// Of what the copy is made, as the target records it.
    struct Origin: Codable, Equatable {
        var folderID: String
        var state: String
    }

    /// Opens a place that contains nothing, or a copy that is not complete.
    init(_ place: DataPlace) throws {
        name = place.name
        switch place {
        case .folder(let path):
            let layout = DataLayout(path)
            try Self.refuseForeign(layout)
            for folder in [path] + layout.folders { try DiskFiles().makeFolder(folder, mode: 0o700) }
            guard let folderLock = try FileLock.tryAcquire(folder: path),
                let fileLock = try FileLock.tryAcquire(layout.lock)
            else { throw BackupError(.busy, "Another program uses \(path).") }
            locks = [folderLock, fileLock]
            tables = try SQLiteTables(updating: layout.database)
            for end in ["", "-wal", "-shm"] { chmod(layout.database + end, 0o600) }
            blobs = FolderBlobs(layout: layout, files: try FileBlobStore(folder: layout.blobFolder))
            keyFile = layout.secret
        case .shared(let shared):
            // Servers of an earlier version may use tables that are there.
            let database = try PostgresTables(shared.database, createsTables: true)
            guard try database.reserve() else {
                throw BackupError(.busy, "Another program copies to \(shared.database.place).")
            }
            (tables, blobs, keyFile, locks) = (database, StoreBlobs(objects: shared.objects), nil, [])
        }
    }

    /// A folder without a database has nothing but what a first start or a copy has begun.
    private static func refuseForeign(_ layout: DataLayout) throws {
        guard FileManager.default.fileExists(atPath: layout.path), try DiskFiles().size(layout.database) == nil else {
            return
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: layout.path)
        let blobs = try? FileManager.default.contentsOfDirectory(atPath: layout.blobFolder)
        guard names.allSatisfy(layout.isOwn), blobs?.isEmpty != false, PathKind(layout.secret) == .absent else {
            throw BackupError(.exists, "\(layout.path) is not empty; copy into a new folder.")
        }
    }

    /// Makes sure that nothing is there but what a copy of these data has begun. Changes nothing.
    func check(_ folderID: String, _ plan: CopyPlan) throws {
        let recordedID = try blobs.recordedID()
        guard recordedID ?? folderID == folderID else {
            throw BackupError(.exists, "\(blobs.name) has the model files of other records. Give an empty place.")
        }
        try tables.reading {
            guard try tables.store.value(of: .copy) == nil else { return }
            for table in plan.tables.map(\.name) + ["signing_key"] where table != "counter" {
                let first = try tables.integer("SELECT 1 FROM \"\(table)\" LIMIT 1")
                guard first == nil else {
                    throw BackupError(.exists, "\(name) has records of its own. Give an empty place.")
                }
            }
            if recordedID == nil, try !blobs.sizes().isEmpty {
                throw BackupError(.exists, "\(blobs.name) has model files of other records. Give an empty place.")
            }
        }
    }

    /// Says in the target that it is incomplete. What is there must be the beginning of the same copy.
    func begin(_ source: CopySource) throws {
        let origin = Origin(folderID: source.folderID, state: source.state)
        let isNew = try tables.writing { () throws -> Bool in
            if let text = try tables.store.value(of: .copy) {
                guard try JSONDecoder().decode(Origin.self, from: Data(text.utf8)) == origin else {
                    throw BackupError(
                        .exists,
                        """
                        \(name) contains the beginning of another copy: the source is another one, or its servers were \
                        allowed to change it meanwhile. Empty the target, and begin again.
                        """)
                }
                return false
            }
            try tables.run("UPDATE folder SET id = ?", [.text(source.folderID)])
            try tables.run("DELETE FROM counter")
            let transaction = tables.transaction
            try transaction.set(.incomplete, source.name)
            try transaction.set(.copy, String(decoding: try JSONEncoder().encode(origin), as: UTF8.self))
            return true
        }
        if try isNew || blobs.recordedID() == nil { try blobs.record(id: source.folderID) }
    }

    /// Lets servers start. All is there and compared.
    func finish(_ keys: [SigningKey]) throws {
        if let keyFile { try write(keys, keyFile) }
        try tables.writing {
            try tables.adoptRows()
            if keyFile == nil {
                try tables.run("DELETE FROM signing_key")
                for key in keys { try tables.transaction.store.insert(key) }
            }
            try tables.run("DELETE FROM data_mark")
        }
        try (tables as? PostgresTables)?.analyze()
    }

    private func write(_ keys: [SigningKey], _ path: String) throws {
        let store = FileSigningKeyStore(firstPath: path)
        let present = try store.load()
        try tables.writing {
            for key in keys where !present.contains(key) { try store.add(key, in: tables.transaction.store) }
        }
        // The first key's file has no place for its time.
        if let first = keys.first(where: { $0.number == 1 && !$0.isRetired }) {
            let time = timespec(
                tv_sec: Int(first.createdMicroseconds / 1_000_000),
                tv_nsec: Int(first.createdMicroseconds % 1_000_000) * 1000)
            utimensat(AT_FDCWD, path, [time, time], 0)
        }
    }

    /// As they would be after the copy.
    func signingKeys() throws -> [SigningKey] {
        guard let keyFile else { return try tables.reading { try tables.store.signingKeys() } }
        return try FileSigningKeyStore(firstPath: keyFile).load()
    }
}
