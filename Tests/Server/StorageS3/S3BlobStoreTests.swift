import Dispatch
import Foundation
import HearthCrypto
import HearthFiles
import HearthStorage
import HearthStorageS3
import HearthTestSupport
import Synchronization
import Testing

/// One server: a blob store with a folder of its own, over a bucket that may be shared.
final class ServerDouble: Sendable {
    let blobs: S3BlobStore
    let folder: TemporaryFolder

    init(
        _ client: S3Client, cacheBytes: UInt64 = 1_000_000, folder: TemporaryFolder? = nil,
        diskReserveBytes: UInt64 = 0, memoryBytes: UInt64 = 1_000_000, files: any FileOperations = DiskFiles(),
        recordedSize: @escaping @Sendable (SHA256Digest) -> UInt64? = { _ in nil }
    ) throws {
        self.folder = try folder ?? TemporaryFolder()
        blobs = try S3BlobStore(
            client: client, folder: self.folder.path, cacheBytes: cacheBytes, diskReserveBytes: diskReserveBytes,
            memoryBytes: memoryBytes, files: files, recordedSize: recordedSize)
    }

    /// The names of the files in the folder.
    var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path + "/s3-cache").sorted() }
    }

    func path(_ digest: SHA256Digest) -> String { folder.path + "/s3-cache/" + digest.hex }

    @discardableResult
    func add(_ bytes: [UInt8]) throws -> SHA256Digest {
        let blob = try blobs.begin(limitBytes: .max)
        try bytes.withUnsafeBytes { try blob.write($0) }
        let digest = try blob.seal().sha256
        try blob.commit()
        return digest
    }

    func bytes(of digest: SHA256Digest) throws -> [UInt8] {
        let blob = try blobs.open(digest)
        let handle = FileHandle(fileDescriptor: blob.descriptor, closeOnDealloc: true)
        return Array(try handle.readToEnd() ?? Data())
    }

    /// One request of a resumable upload.
    func append(_ bytes: [UInt8], to id: String, from size: UInt64) throws {
        let blob = try #require(try blobs.resume(id, from: size, limitBytes: .max))
        try bytes.withUnsafeBytes { try blob.write($0) }
        try blob.synchronize()
    }

    /// The last request of a resumable upload.
    func finish(_ id: String, from size: UInt64) throws -> SHA256Digest {
        let blob = try #require(try blobs.resume(id, from: size, limitBytes: .max))
        let digest = try blob.seal().sha256
        try blob.commit()
        return digest
    }
}

func code(_ body: () throws -> Void) -> StorageError.Code? {
    do {
        try body()
        return nil
    } catch {
        return (error as? StorageError)?.code
    }
}

@Suite("Blobs in a store that fails") struct S3BlobStoreTests {
    private let store = StoreDouble()
    private let hello = Array("hello".utf8)

    private func server(cacheBytes: UInt64 = 1_000_000, folder: TemporaryFolder? = nil) throws -> ServerDouble {
        try ServerDouble(try store.client(), cacheBytes: cacheBytes, folder: folder)
    }

    @Test("A blob is stored before its upload counts as done, and its file is then the cache's")
    func commit() throws {
        let server = try server()
        let digest = try server.add(hello)
        #expect(store.keys == ["blobs/\(digest.hex)"] && store.bytes("blobs/\(digest.hex)") == hello)
        store.fail { _, _ in .unreachable }
        #expect(try server.bytes(of: digest) == hello, "with the store away")
        #expect(store.calls.isEmpty)
        #expect(code { _ = try server.blobs.size(of: digest) } == .unavailable)
        #expect(code { try server.add([1]) } == .unavailable)
        #expect(try server.files == [digest.hex], "the failed upload leaves nothing")
        #expect(throws: StorageError.self) { try server.blobs.check() }
    }

    @Test("What is there already is not sent again, but is young afterwards")
    func sameBytes() throws {
        let (first, second) = (try server(), try server())
        let digest = try first.add(hello)
        store.forget()
        try second.add(hello)
        #expect(store.lines == ["HEAD blobs/\(digest.hex)"])
        store.wait(seconds: 3_601)
        #expect(try first.blobs.blobAges().map(\.modifiedSeconds) == [1_800_000_000])
        store.forget()
        try second.add(hello)
        #expect(store.calls.map(\.method) == ["HEAD", "PUT"] && store.calls.last?.body.isEmpty == true)
        #expect(try first.blobs.blobAges().map(\.modifiedSeconds) == [1_800_003_601])
    }

    @Test("What another server removes between the question and the answer is sent")
    func vanished() throws {
        let server = try server()
        let digest = try server.add(hello)
        store.wait(seconds: 10_000)
        store.fail { call, number in
            call.headers["x-amz-copy-source"] == nil ? nil : .answer(404, body: StoreDouble.error("NoSuchKey"))
        }
        try server.add(hello)
        #expect(store.calls.last?.body == hello && store.bytes("blobs/\(digest.hex)") == hello)
    }

    @Test("Bytes with another hash are refused, and nothing of them stays", arguments: [[], Array("HELLO".utf8), [1]])
    func wrongBytes(bytes: [UInt8]) throws {
        let server = try server()
        let digest = SHA256Hasher.hash(hello)
        store.set("blobs/\(digest.hex)", hello)
        store.fail { _, number in number == 1 ? .otherBytes(bytes) : nil }
        #expect(code { _ = try server.blobs.open(digest) } == .corrupt)
        #expect(try server.files.isEmpty)
        #expect(try server.bytes(of: digest) == hello, "the next caller gets another chance")
    }

    @Test("A download that was cut goes on, and is verified as a whole")
    func cut() throws {
        let server = try server()
        let bytes = [UInt8](repeating: 3, count: 10_000)
        let digest = SHA256Hasher.hash(bytes)
        store.set("blobs/\(digest.hex)", bytes)
        store.fail { _, number in number == 1 ? .cut(after: 4_000) : nil }
        #expect(try server.bytes(of: digest) == bytes)
        #expect(store.calls.last?.headers["range"] == "bytes=4000-")
    }

    @Test("The cache stays within its limit: the least recently used go first, and open readers keep theirs")
    func cacheLimit() throws {
        let server = try server(cacheBytes: 3_000)
        let digests = try (0..<3).map { try server.add([UInt8](repeating: UInt8($0), count: 1_000)) }
        let reader = try server.blobs.open(digests[1])
        defer { close(reader.descriptor) }
        _ = try server.bytes(of: digests[0])
        let fourth = try server.add([UInt8](repeating: 9, count: 1_500))
        #expect(try Set(server.files) == [digests[0].hex, fourth.hex])
        #expect(lseek(reader.descriptor, 0, SEEK_END) == 1_000)
        #expect(try server.bytes(of: digests[1]) == [UInt8](repeating: 1, count: 1_000))
        let large = try server.add([UInt8](repeating: 8, count: 5_000))
        #expect(try server.files == [large.hex])
        #expect(try server.bytes(of: large).count == 5_000)
    }

    @Test("Files that were in the folder before are none of the cache's")
    func foreignFiles() throws {
        let folder = try TemporaryFolder()
        let digest = SHA256Hasher.hash(hello)
        _ = try folder.write(hello, to: digest.hex)
        let server = try server(cacheBytes: 0, folder: folder)
        #expect(code { _ = try server.blobs.open(digest) } == .notFound)
        try server.add([1])
        #expect(FileManager.default.fileExists(atPath: folder.path + "/" + digest.hex))
    }

    @Test("A damaged file of the cache is fetched again, also one that was damaged while no server ran")
    func damagedCache() throws {
        let folder = try TemporaryFolder()
        let digest: SHA256Digest
        do {
            let server = try server(folder: folder)
            digest = try server.add(hello)
            for damage in ["", "hell", "HELLO"] {
                _ = try folder.write(damage.utf8, to: "s3-cache/" + digest.hex)
                #expect(try server.bytes(of: digest) == hello)
            }
            try DiskFiles().remove(server.path(digest))
            #expect(try server.bytes(of: digest) == hello)
        }
        store.fail(nil)
        #expect(try server(folder: folder).bytes(of: digest) == hello)
        #expect(store.calls.isEmpty, "what is sound is kept")
        _ = try folder.write("HELLO".utf8, to: "s3-cache/" + digest.hex)
        let server = try server(folder: folder)
        store.fail { _, _ in .unreachable }
        #expect(code { _ = try server.blobs.open(digest) } == .unavailable)
        store.fail(nil)
        #expect(try server.bytes(of: digest) == hello)
        #expect(try server.files == [digest.hex])
    }

    @Test("Many readers of one blob share one download, and its failure")
    func sharedDownload() throws {
        let server = try server()
        let bytes = [UInt8](repeating: 4, count: 50_000)
        let digest = SHA256Hasher.hash(bytes)
        store.set("blobs/\(digest.hex)", bytes)
        let count = 8
        let waiting = DispatchSemaphore(value: 0)
        store.fail { _, _ in
            // All others have come before the download may end: each has signalled, and then has only to open.
            for _ in 1..<count { waiting.wait() }
            return nil
        }
        let found = Mutex<[[UInt8]?]>([])
        let group = DispatchGroup()
        for number in 0..<count {
            group.enter()
            Thread.detachNewThread {
                if number > 0 { waiting.signal() }
                let bytes = try? server.bytes(of: digest)
                found.withLock { $0.append(bytes) }
                group.leave()
            }
        }
        group.wait()
        #expect(found.withLock { $0 } == [[UInt8]?](repeating: bytes, count: count))
        #expect(store.calls.count == 1)
    }

    @Test("Only names of blobs are blobs")
    func strangeObjects() throws {
        let server = try server()
        let digest = try server.add(hello)
        for name in ["blobs/x", "blobs/\(digest.hex)/y", "blobs/", "other", "trash/1-x", "trash/x-\(digest.hex)"] {
            store.set(name, [1])
        }
        #expect(try server.blobs.digests() == [digest])
        #expect(try server.blobs.trashedBlobs().isEmpty)
    }

    @Test("A crash between the two steps of a move leaves both objects, which is harmless")
    func interruptedMove() throws {
        let server = try server()
        let digest = try server.add(hello)
        store.fail { call, _ in call.method == "DELETE" ? .unreachable : nil }
        #expect(code { _ = try server.blobs.moveToTrash([digest], atSeconds: 5) } == .unavailable)
        store.fail(nil)
        let aside = [TrashedBlob(digest: digest, seconds: 5)]
        #expect(try server.blobs.trashedBlobs() == aside && server.blobs.digests() == [digest])
        #expect(try server.blobs.restoreFromTrash(aside) == 0, "it is visible")
        #expect(try server.blobs.moveToTrash([digest], atSeconds: 5) == 1)
        #expect(try server.blobs.trashedBlobs() == aside && server.blobs.digests().isEmpty)
        store.fail { call, _ in call.method == "DELETE" ? .unreachable : nil }
        #expect(code { _ = try server.blobs.restoreFromTrash(aside) } == .unavailable)
        store.fail(nil)
        #expect(try server.bytes(of: digest) == hello)
        #expect(try server.blobs.deleteTrashed(server.blobs.trashedBlobs()) == 1)
        #expect(try server.bytes(of: digest) == hello && server.blobs.trashedBlobs().isEmpty)
    }

    @Test("A check leaves nothing, and says what is wrong")
    func check() throws {
        let server = try server()
        try server.blobs.check()
        #expect(store.keys.isEmpty)
        store.fail { call, _ in call.method == "GET" && !call.key.isEmpty ? .otherBytes([1]) : nil }
        #expect(code { try server.blobs.check() } == .corrupt)
        store.fail { _, _ in .answer(403, body: StoreDouble.error("AccessDenied")) }
        #expect(code { try server.blobs.check() } == .io)
    }
}
