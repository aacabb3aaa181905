import Dispatch
import HearthCatalog
import HearthCrypto
import HearthStorage
import HearthStorageTestSupport
import HearthValidation
import HearthWire
import Testing

/// Calls back whenever bytes are about to be removed.
private struct WatchedBlobs: ForwardingBlobStore {
    let base: any BlobStore
    let whenRemoving: @Sendable () -> Void

    func remove(_ digests: [SHA256Digest]) throws(StorageError) {
        whenRemoving()
        try base.remove(digests)
    }
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
        let watched = WatchedBlobs(base: blobs) {
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
