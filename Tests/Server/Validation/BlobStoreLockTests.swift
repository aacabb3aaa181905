import Dispatch
import HearthCatalog
import HearthCrypto
import HearthStorage
import HearthValidation
import HearthWire
import Testing

@Suite("Bytes that arrive while the same bytes are removed") struct BlobStoreLockTests {
    private let stores: TestStores

    init() throws { stores = try TestStores() }

    @Test("They arrive afterwards, and are checked anew")
    func arriveAfterwards() throws {
        let (blobs, metadata) = (stores.blobs, stores.metadata)
        let scheduler = ManualScheduler()
        let checker = ScriptedChecker(ScriptedChecker.byText)
        let digest = SHA256Hasher.hash("bad".utf8)
        let queue = ValidationQueue(
            metadata: metadata, blobs: blobs, checker: checker, scheduler: scheduler,
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
        scheduler.drain()
        let (removing, over) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        DispatchQueue.global().async {
            removing.wait()
            try? admit()
            over.signal()
        }
        try queue.blobLock.withLock(.removing) { () throws -> Void in
            removing.signal()
            // Only bytes that do not wait for their turn get here in time.
            #expect(over.wait(timeout: .now() + 0.2) == .timedOut)
            try blobs.remove(digest)
        }
        over.wait()
        #expect(try metadata.read { try $0.validation(sha256: digest.hex)?.verdict } == .pending)
        #expect(try blobs.size(of: digest) == 3, "the new bytes are there")
        scheduler.drain()
        #expect(checker.checked == ["bad", "bad"])
    }
}
