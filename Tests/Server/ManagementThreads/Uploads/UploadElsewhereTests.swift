import Foundation
import HearthCrypto
import HearthHTTP
import HearthManagement
import HearthRouting
import HearthStorage
import HearthStorageTestSupport
import Synchronization
import Testing

@testable import HearthManagementTestSupport

/// The bytes of an upload that arrived at another server.
@Suite("Resumable uploads: bytes that arrived elsewhere") struct UploadElsewhereTests {
    private let contents = Array(FakeProbe.ok("a model in two pieces").utf8)
    private let service: TestService
    private let blobs: BlobsElsewhere

    init() throws {
        var elsewhere: BlobsElsewhere?
        service = try TestService { services in
            let blobs = BlobsElsewhere(services.blobs)
            services.blobs = blobs
            elsewhere = blobs
        }
        blobs = try #require(elsewhere)
    }

    /// The answer after those that say that the server fetches bytes.
    private func put(_ address: String, from first: Int) throws -> TestResponse {
        let last = contents.count - 1
        var answer = try service.put(address, contents[first...], range: "bytes \(first)-\(last)/\(contents.count)")
        #expect(answer.status == 503 && answer.headers["Retry-After"] == "1", "\(answer.text)")
        try waitUntil("the bytes are there") {
            answer = try service.put(address, contents[first...], range: "bytes \(first)-\(last)/\(contents.count)")
            return answer.status != 503
        }
        return answer
    }

    @Test("No thread of the HTTP server fetches them, and the uploader continues when they are there")
    func fetching() throws {
        let address = try service.resumableAddress(length: contents.count)
        let first = try service.put(address, contents[..<10], range: "bytes 0-9/\(contents.count)")
        #expect(first.receivedBytes == 10)
        blobs.areElsewhere = true
        #expect(try put(address, from: 10).status == 200)
        let fetcher = try #require(blobs.fetcher)
        #expect(pthread_equal(fetcher, pthread_self()) == 0)
        #expect(try service.services.blobs.size(of: SHA256Hasher.hash(contents)) == UInt64(contents.count))
    }

    @Test("What it has fetched once says nothing of the bytes that arrive elsewhere later")
    func fetchingAgain() throws {
        let address = try service.resumableAddress(length: contents.count)
        let first = try service.put(address, contents[..<10], range: "bytes 0-9/\(contents.count)")
        #expect(first.receivedBytes == 10)
        blobs.areElsewhere = true
        let refused = try service.put(address, contents[10..<12], range: "bytes 10-11/\(contents.count)")
        #expect(refused.status == 503, "\(refused.text)")
        try waitUntil("it has fetched them") { blobs.fetcher != nil }
        // The uploader continues at another server, and then comes back.
        blobs.areElsewhere = true
        #expect(try put(address, from: 10).status == 200)
        let fetcher = try #require(blobs.fetcher)
        #expect(pthread_equal(fetcher, pthread_self()) == 0)
    }

    @Test("An upload whose bytes are lost is said to be gone")
    func lost() throws {
        let address = try service.resumableAddress(length: contents.count)
        let first = try service.put(address, contents[..<10], range: "bytes 0-9/\(contents.count)")
        #expect(first.receivedBytes == 10)
        for id in try blobs.resumable() { try blobs.removeResumable(id) }
        blobs.areElsewhere = true
        #expect(try put(address, from: 10).status == 404)
    }
}

/// A store where the bytes of uploads are at another server, until somebody fetches them.
private final class BlobsElsewhere: ForwardingBlobStore {
    let base: any BlobStore
    private let state = Mutex<(areElsewhere: Bool, fetcher: pthread_t?)>((false, nil))

    init(_ base: any BlobStore) { self.base = base }

    var areElsewhere: Bool {
        get { state.withLock { $0.areElsewhere } }
        set { state.withLock { $0.areElsewhere = newValue } }
    }

    /// The thread that fetched them.
    var fetcher: pthread_t? { state.withLock { $0.fetcher } }

    func resumesAtOnce(_ id: String, from size: UInt64) -> Bool { !areElsewhere }

    func resume(_ id: String, from size: UInt64, limitBytes: UInt64) throws(StorageError) -> (any ResumedBlob)? {
        let thread = pthread_self()
        state.withLock { if $0.areElsewhere { $0 = (false, thread) } }
        return try base.resume(id, from: size, limitBytes: limitBytes)
    }
}
