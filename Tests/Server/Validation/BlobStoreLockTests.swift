import Dispatch
import HearthCatalog
import HearthCrypto
import HearthStorage
import HearthValidation
import HearthWire
import Testing

/// Calls back whenever bytes are about to be removed.
private struct WatchedBlobs: BlobStore {
    let blobs: any BlobStore
    let whenRemoving: @Sendable () -> Void

    func begin(limitBytes: UInt64) throws(StorageError) -> any IncomingBlob { try blobs.begin(limitBytes: limitBytes) }

    func resume(_ id: String, from size: UInt64, limitBytes: UInt64) throws(StorageError) -> (any ResumedBlob)? {
        try blobs.resume(id, from: size, limitBytes: limitBytes)
    }

    func removeResumable(_ id: String) throws(StorageError) { try blobs.removeResumable(id) }
    func resumable() throws(StorageError) -> [String] { try blobs.resumable() }
    func size(of digest: SHA256Digest) throws(StorageError) -> UInt64? { try blobs.size(of: digest) }
    func digests() throws(StorageError) -> [SHA256Digest] { try blobs.digests() }
    func open(_ digest: SHA256Digest) throws(StorageError) -> OpenBlob { try blobs.open(digest) }

    func freeBytes() throws(StorageError) -> UInt64 { try blobs.freeBytes() }
    func remove(_ digests: [SHA256Digest]) throws(StorageError) {
        whenRemoving()
        try blobs.remove(digests)
    }
    func moveToTrash(_ digests: [SHA256Digest], atSeconds seconds: Int64) throws(StorageError) -> Int {
        try blobs.moveToTrash(digests, atSeconds: seconds)
    }
    func trashedBlobs() throws(StorageError) -> [TrashedBlob] { try blobs.trashedBlobs() }
    func restoreFromTrash(_ asides: [TrashedBlob]) throws(StorageError) -> Int { try blobs.restoreFromTrash(asides) }
    func deleteTrashed(_ asides: [TrashedBlob]) throws(StorageError) -> Int { try blobs.deleteTrashed(asides) }
}

@Suite("Bytes that arrive while the same bytes are removed") struct BlobStoreLockTests {
    private let stores: TestStores

    init() throws { stores = try TestStores() }

    @Test("They arrive afterwards, and are checked anew")
    func arriveAfterwards() throws {
        let (blobs, metadata) = (stores.blobs, stores.metadata)
        let scheduler = ManualScheduler()
        let checker = ScriptedChecker(ScriptedChecker.byText)
        let digest = SHA256Hasher.hash("bad".utf8)
        let (removing, committed, over) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        let watched = WatchedBlobs(blobs: blobs) {
            removing.signal()
            // Only bytes that do not wait for their turn get here in time.
            _ = committed.wait(timeout: .now() + 0.2)
        }
        let queue = ValidationQueue(
            metadata: metadata, blobs: watched, checker: checker, scheduler: scheduler,
            now: { Timestamp(microseconds: 1) }, log: { _ in })
        try queue.start()
        let admit = { @Sendable () throws -> Void in
            let blob = try blobs.begin(limitBytes: 1000)
            try Array("bad".utf8).withUnsafeBytes { try blob.write($0) }
            _ = try blob.seal()
            _ = try queue.admit(
                digest, sizeBytes: 3, project: "project-a", commit: { try blob.commit() }, record: { _ in })
        }
        try admit()
        DispatchQueue.global().async {
            removing.wait()
            try? admit()
            committed.signal()
            over.signal()
        }
        scheduler.step()
        over.wait()
        #expect(try metadata.read { try $0.validation(sha256: digest.hex)?.verdict } == .pending)
        #expect(try blobs.size(of: digest) == 3, "the new bytes are there")
        removing.signal()
        scheduler.drain()
        #expect(checker.checked == ["bad", "bad"])
    }
}
