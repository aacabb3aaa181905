import HearthCrypto
import HearthStorage
import HearthTestSupport
import Testing

@testable import HearthStorageTestSupport

@Suite("Resumable blobs") struct ResumableBlobTests {
    private let hello = Array("hello".utf8)

    private func resume(
        _ store: any BlobStore, _ id: String = "a", from size: UInt64 = 0, limitBytes: UInt64 = 1_000_000
    ) throws -> any ResumedBlob {
        try #require(try store.resume(id, from: size, limitBytes: limitBytes))
    }

    @Test("Several sittings make one file, with the checksums of the whole", arguments: BlobKind.allCases)
    func sittings(kind: BlobKind) throws {
        let store = try kind.makeStore()
        var random = SeededGenerator(seed: 3)
        let bytes = (0..<400_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        var done = 0
        for end in [1, 100_000, 100_000, 399_999] {
            let blob = try resume(store, from: UInt64(done))
            #expect(blob.size == UInt64(done))
            try blob.write(bytes[done..<end])
            try blob.synchronize()
            done = end
        }
        let blob = try resume(store, from: UInt64(done))
        try blob.write(bytes[done...])
        let found = try blob.seal()
        #expect(found.sha256 == SHA256Hasher.hash(bytes) && found.crc32c == CRC32C.checksum(bytes))
        #expect(try blob.seal() == found, "sealing twice is sealing once")
        #expect(try Descriptor.readAndClose(blob.openForInspection()) == bytes)
        #expect(try store.size(of: found.sha256) == nil, "invisible before commit")
        try blob.commit()
        #expect(try store.bytes(of: found.sha256) == bytes)
        #expect(try store.resumable().isEmpty)
    }

    @Test("Bytes that nobody was told of are forgotten", arguments: BlobKind.allCases)
    func forgottenTail(kind: BlobKind) throws {
        let store = try kind.makeStore()
        do {
            let blob = try resume(store)
            try blob.write(hello)
            try blob.synchronize()
            try blob.write(Array("garbage".utf8))
        }
        let blob = try resume(store, from: 5)
        try blob.write(Array("!".utf8))
        #expect(try blob.seal().sha256 == SHA256Hasher.hash("hello!".utf8))
    }

    @Test("An upload that is not there, or shorter than was said, cannot go on", arguments: BlobKind.allCases)
    func missing(kind: BlobKind) throws {
        let store = try kind.makeStore()
        #expect(code { _ = try store.resume("a", from: 1, limitBytes: 9) } == .notFound)
        #expect(try store.resumable().isEmpty, "the question makes nothing")
        do {
            let blob = try resume(store)
            try blob.write(hello)
            try blob.synchronize()
        }
        #expect(code { _ = try store.resume("a", from: 6, limitBytes: 9) } == .notFound)
        #expect(try resume(store, from: 5).size == 5)
    }

    @Test("One sitting at a time; another upload is not in the way", arguments: BlobKind.allCases)
    func oneAtATime(kind: BlobKind) throws {
        let store = try kind.makeStore()
        do {
            let blob = try resume(store)
            try blob.write(hello)
            #expect(try store.resume("a", from: 0, limitBytes: 9) == nil)
            #expect(try store.resume("b", from: 0, limitBytes: 9) != nil)
            try blob.synchronize()
        }
        #expect(try resume(store, from: 5).size == 5)
    }

    @Test("The limit counts all sittings, at n and n + 1", arguments: BlobKind.allCases)
    func limit(kind: BlobKind) throws {
        let store = try kind.makeStore()
        do {
            let blob = try resume(store, limitBytes: 10)
            try blob.write(hello)
            try blob.synchronize()
        }
        let blob = try resume(store, from: 5, limitBytes: 10)
        #expect(code { try blob.write(hello + [1]) } == .tooLarge)
        try blob.write(hello)
        #expect(code { try blob.write([1]) } == .tooLarge)
        #expect(try blob.seal().sha256 == SHA256Hasher.hash(hello + hello))
        #expect(code { try blob.write([1]) } == .io, "sealed bytes cannot grow")
    }

    @Test("What is cancelled is gone, and cancelling nothing is no error", arguments: BlobKind.allCases)
    func removal(kind: BlobKind) throws {
        let store = try kind.makeStore()
        try store.removeResumable("a")
        for id in ["a", "b"] {
            let blob = try resume(store, id)
            try blob.write(hello)
            try blob.synchronize()
        }
        #expect(try store.resumable().sorted() == ["a", "b"])
        try store.removeResumable("a")
        #expect(try store.resumable() == ["b"])
        #expect(code { _ = try store.resume("a", from: 5, limitBytes: 9) } == .notFound)
    }

    @Test("An id is no path", arguments: ["", ".", "..", "../x", "a/b", "/etc/passwd", "a\0b", "ä", "a b"])
    func pathTricks(id: String) throws {
        let store = try BlobKind.files.makeStore()
        #expect(code { _ = try store.resume(id, from: 0, limitBytes: 9) } == .notFound)
        #expect(code { try store.removeResumable(id) } == .notFound)
    }

    @Test("Opening the store again leaves unfinished uploads as they are")
    func reopening() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/blobs"
        do {
            let blob = try resume(try FileBlobStore(folder: path))
            try blob.write(hello)
            try blob.synchronize()
        }
        let store = try FileBlobStore(folder: path)
        #expect(try store.resumable() == ["a"])
        #expect(try resume(store, from: 5).seal().sha256 == SHA256Hasher.hash(hello))
    }
}
