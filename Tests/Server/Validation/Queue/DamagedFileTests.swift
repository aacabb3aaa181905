import HearthCatalog
import HearthCrypto
import HearthStorage
import HearthTestSupport
import HearthValidation
import HearthWire
import Testing

@Suite("Files that a disk has damaged") struct DamagedFileTests {
    private let stores: TestStores

    init() throws { stores = try TestStores() }

    @Test("They are not malformed for that: the check is tried again, and nothing is removed")
    func damaged() throws {
        let (blobs, metadata) = (stores.blobs, stores.metadata)
        let scheduler = ManualScheduler()
        var limits = QueueLimits()
        limits.retryPausesSeconds = [1]
        let queue = ValidationQueue(
            metadata: metadata, blobs: blobs, checker: ScriptedChecker(ScriptedChecker.byText), limits: limits,
            scheduler: scheduler, now: { Timestamp(microseconds: 1) }, log: { _ in })
        try queue.start()
        let digest = SHA256Hasher.hash("good".utf8)
        let blob = try blobs.begin(limitBytes: 1000)
        try Array("good".utf8).withUnsafeBytes { try blob.write($0) }
        _ = try blob.seal()
        _ = try queue.admit(
            digest, sizeBytes: 4, project: "project-a", commit: { try blob.commit() }, record: { _ in })
        _ = try stores.folder.write(Array("bad".utf8), to: "blobs/" + digest.hex)
        scheduler.drain()
        #expect(try metadata.read { try $0.validation(sha256: digest.hex)?.verdict } == .pending)
        #expect(try blobs.size(of: digest) == 3)
        _ = try stores.folder.write(Array("good".utf8), to: "blobs/" + digest.hex)
        scheduler.advance(seconds: 1)
        #expect(try metadata.read { try $0.validation(sha256: digest.hex)?.verdict } == .ok)
    }
}
