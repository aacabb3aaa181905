import Dispatch
import Glibc
import HearthCrypto
import HearthStorage
import HearthTestSupport
import Testing

@testable import HearthStorageTestSupport

@Suite("Blobs") struct BlobStoreTests {
    private let hello = Array("hello".utf8)

    @Test("Written in pieces, sealed, committed, read back", arguments: BlobKind.allCases)
    func roundTrip(kind: BlobKind) throws {
        let store = try kind.makeStore()
        var random = SeededGenerator(seed: 1)
        let bytes = (0..<1_000_003).map { _ in UInt8.random(in: 0...255, using: &random) }
        let blob = try store.begin(limitBytes: .max)
        for start in stride(from: 0, to: bytes.count, by: 70_001) {
            try blob.write(bytes[start..<min(start + 70_001, bytes.count)])
        }
        #expect(blob.size == UInt64(bytes.count))
        let digest = try blob.seal().sha256
        #expect(digest == SHA256Hasher.hash(bytes))
        #expect(try blob.seal().sha256 == digest, "sealing twice is sealing once")
        try blob.commit()
        #expect(try store.size(of: digest) == UInt64(bytes.count))
        #expect(try store.bytes(of: digest) == bytes)
    }

    @Test("Nothing is visible before commit", arguments: BlobKind.allCases)
    func invisible(kind: BlobKind) throws {
        let store = try kind.makeStore()
        let digest = SHA256Hasher.hash(hello)
        func isInvisible() throws -> Bool {
            try store.size(of: digest) == nil && code { _ = try store.open(digest) } == .notFound
        }
        let blob = try store.begin(limitBytes: 5)
        #expect(try isInvisible())
        try blob.write(hello)
        #expect(try isInvisible())
        _ = try blob.seal()
        #expect(try isInvisible())
        try blob.commit()
        #expect(try !isInvisible())
    }

    @Test("The list has what is visible: not what is on its way, nor what is gone", arguments: BlobKind.allCases)
    func list(kind: BlobKind) throws {
        let store = try kind.makeStore()
        #expect(try store.digests().isEmpty)
        var kept: Set<SHA256Digest> = []
        for number in 0..<4 {
            let blob = try store.begin(limitBytes: 100)
            try blob.write([UInt8(number)][...])
            let digest = try blob.seal().sha256
            if number == 0 { continue }
            try blob.commit()
            if number == 1 { try store.remove(digest) } else { kept.insert(digest) }
        }
        let under = try #require(try store.resume("upload", from: 0, limitBytes: 100))
        try under.write([9][...])
        try under.synchronize()
        #expect(Set(try store.digests()) == kept)
        #expect(try store.digests().count == 2)
    }

    @Test("An empty file is a file", arguments: BlobKind.allCases)
    func empty(kind: BlobKind) throws {
        let store = try kind.makeStore()
        let digest = try store.add([])
        #expect(digest == SHA256Hasher.hash([]))
        #expect(try store.size(of: digest) == 0)
        #expect(try store.bytes(of: digest).isEmpty)
    }

    @Test("The limit is kept at n and at n + 1, however the bytes are cut", arguments: BlobKind.allCases)
    func limit(kind: BlobKind) throws {
        let store = try kind.makeStore()
        for pieces in [[10], [5, 5], [10, 0], [1, 9]] {
            let blob = try store.begin(limitBytes: 10)
            for piece in pieces { try blob.write([UInt8](repeating: 1, count: piece)) }
            #expect(try blob.seal().sha256 == SHA256Hasher.hash([UInt8](repeating: 1, count: 10)))
        }
        for pieces in [[11], [10, 1], [5, 6], [1, 10]] {
            let blob = try store.begin(limitBytes: 10)
            #expect(
                code { for piece in pieces { try blob.write([UInt8](repeating: 2, count: piece)) } } == .tooLarge)
            #expect(blob.size <= 10)
        }
        #expect(code { try store.begin(limitBytes: 0).write([1]) } == .tooLarge)
    }

    @Test("Sealed bytes cannot grow", arguments: BlobKind.allCases)
    func writeAfterSeal(kind: BlobKind) throws {
        let store = try kind.makeStore()
        let blob = try store.begin(limitBytes: 100)
        try blob.write(hello)
        let digest = try blob.seal().sha256
        #expect(code { try blob.write([1]) } == .io)
        try blob.commit()
        #expect(try store.bytes(of: digest) == hello)
    }

    @Test(
        "Whoever checks the sealed bytes reads them from the start, and they stay invisible",
        arguments: BlobKind.allCases)
    func inspection(kind: BlobKind) throws {
        let store = try kind.makeStore()
        let blob = try store.begin(limitBytes: 5)
        try blob.write(hello)
        let digest = try blob.seal().sha256
        for _ in 0..<2 {
            #expect(try Descriptor.readAndClose(blob.openForInspection()) == hello)
        }
        #expect(try store.size(of: digest) == nil)
    }

    @Test("An upload that is given up leaves nothing", arguments: BlobKind.allCases)
    func abandoned(kind: BlobKind) throws {
        let store = try kind.makeStore()
        var digest = SHA256Hasher.hash([])
        do {
            let blob = try store.begin(limitBytes: 5)
            try blob.write(hello)
            digest = try blob.seal().sha256
        }
        #expect(try store.size(of: digest) == nil)
    }

    @Test("The same bytes twice are one file", arguments: BlobKind.allCases)
    func twice(kind: BlobKind) throws {
        let store = try kind.makeStore()
        let digest = try store.add(hello)
        #expect(try store.add(hello) == digest)
        #expect(try store.bytes(of: digest) == hello)
        try store.remove(digest)
        #expect(try store.size(of: digest) == nil)
    }

    @Test(
        "Readers keep their bytes when a file is removed, and each has its own position", arguments: BlobKind.allCases)
    func readersKeepBytes(kind: BlobKind) throws {
        let store = try kind.makeStore()
        let digest = try store.add(hello)
        let (first, second) = (try store.open(digest), try store.open(digest))
        var two = [UInt8](repeating: 0, count: 2)
        #expect(read(first.descriptor, &two, 2) == 2 && two == Array(hello.prefix(2)))
        try store.remove(digest)
        #expect(try store.size(of: digest) == nil)
        #expect(code { _ = try store.open(digest) } == .notFound)
        #expect(try Descriptor.readAndClose(first.descriptor) == Array(hello.dropFirst(2)))
        #expect(try Descriptor.readAndClose(second.descriptor) == hello)
    }

    @Test("Removing what is not there is no error", arguments: BlobKind.allCases)
    func removeNothing(kind: BlobKind) throws {
        try kind.makeStore().remove(SHA256Hasher.hash(hello))
    }

    @Test("A reader cannot change what is stored", arguments: BlobKind.allCases)
    func readOnly(kind: BlobKind) throws {
        let store = try kind.makeStore()
        let digest = try store.add(hello)
        let blob = try store.open(digest)
        #expect(write(blob.descriptor, "x", 1) == -1 && errno == EBADF)
        close(blob.descriptor)
        #expect(try store.bytes(of: digest) == hello)
    }

    @Test("Many threads upload, read and remove at once", arguments: BlobKind.allCases)
    func manyThreads(kind: BlobKind) throws {
        let store = try kind.makeStore()
        let shared = [UInt8](repeating: 9, count: 30_000)
        try store.add(shared)
        DispatchQueue.concurrentPerform(iterations: 12) { number in
            let own = [UInt8](repeating: UInt8(number), count: 10_000 + number)
            #expect(throws: Never.self) {
                let digest = try store.add(own)
                #expect(try store.bytes(of: try store.add(shared)) == shared)
                #expect(try store.bytes(of: digest) == own)
                try store.remove(digest)
                #expect(try store.size(of: digest) == nil)
            }
        }
        #expect(try store.bytes(of: SHA256Hasher.hash(shared)) == shared)
    }
}
