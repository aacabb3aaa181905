import Glibc
import HearthCrypto
import HearthHTTP
import HearthManagement
import HearthRouting
import HearthStorage
import HearthStorageTestSupport
import Synchronization
import Testing

@testable import HearthManagementTestSupport

/// Model files that a server must fetch from a store before it can send them.
@Suite("Devices: files that are fetched first") struct FetchedFileTests {
    private let contents = FakeProbe.ok("0123456789")

    @Test("A server without space for a copy of the file asks devices to come again, and its log says why")
    func noSpace() throws {
        var full: BlobsWithoutSpace?
        let service = try TestService { services in
            let blobs = BlobsWithoutSpace(services.blobs)
            services.blobs = blobs
            full = blobs
        }
        try service.makeModel("flowers", contents, isPublished: true)
        let link = try service.link("flowers")
        full?.isFull = true
        let answer = try service.call(.get, link)
        answer.expectRefusal(503, "UNAVAILABLE", "This server has no space for a copy of the file; try again.")
        #expect(answer.headers["Retry-After"] == "5")
        #expect(service.log.lines.contains { $0.hasSuffix("(no space for the copy)") })
        full?.isFull = false
        #expect(try service.call(.get, link).text == contents)
    }

    @Test("What must be fetched is fetched on no thread of the HTTP server")
    func threads() throws {
        var made: BlobsWithoutSpace?
        let service = try TestService { services in
            let blobs = BlobsWithoutSpace(services.blobs)
            (services.blobs, made) = (blobs, blobs)
        }
        let blobs = try #require(made)
        try service.makeModel("flowers", contents, isPublished: true)
        let link = try service.link("flowers")
        let before = blobs.openers.count
        #expect(try service.call(.get, link).text == contents)
        #expect(blobs.openers.count > before)
        #expect(!blobs.openers.contains(pthread_self()), "this thread stands for one of them")
    }
}

/// A store whose files must be fetched first, and whose disk and memory may be full.
private final class BlobsWithoutSpace: ForwardingBlobStore {
    let base: any BlobStore
    private let full = Atomic(false)
    private let threads = Mutex<[pthread_t]>([])

    init(_ base: any BlobStore) { self.base = base }

    var isFull: Bool {
        get { full.load(ordering: .relaxed) }
        set { full.store(newValue, ordering: .relaxed) }
    }

    /// The thread of each `open` since the beginning.
    var openers: [pthread_t] { threads.withLock { $0 } }

    func openAtHand(_ digest: SHA256Digest) throws(StorageError) -> OpenBlob? { nil }

    func open(_ digest: SHA256Digest) throws(StorageError) -> OpenBlob {
        threads.withLock { $0.append(pthread_self()) }
        if isFull { throw StorageError(.noSpace, "no space for the copy") }
        return try base.open(digest)
    }
}
