import Foundation
import HearthCrypto
import HearthStorage
import HearthStorageS3TestSupport
import HearthTestSupport
import Testing

@testable import HearthStorageS3

@Suite("Objects that do not have the bytes of their name") struct WrongObjectTests {
    private let store = StoreDouble()
    private let hello = Array("hello".utf8)
    private let jello = Array("jello".utf8)
    private var digest: SHA256Digest { SHA256Hasher.hash(hello) }
    private var key: String { "blobs/\(digest.hex)" }

    private func server() throws -> ServerDouble {
        let size = UInt64(hello.count)
        return try ServerDouble(try store.client(), recordedSize: { _ in size })
    }

    /// How often the bytes were asked for.
    private var fetches: Int { store.lines.count { $0 == "GET \(key)" } }

    enum Upload: CaseIterable, Sendable {
        case whole, prepared, resumed
    }

    private func push(_ upload: Upload, to server: ServerDouble) throws {
        if upload == .resumed {
            try server.append(hello, to: "u", from: 0)
            let blob = try #require(try server.blobs.resume("u", from: UInt64(hello.count), limitBytes: .max))
            try blob.prepareCommit()
            return try blob.commit()
        }
        let blob = try server.blobs.begin(limitBytes: .max)
        try hello.withUnsafeBytes { try blob.write($0) }
        if upload == .prepared { try blob.prepareCommit() }
        try blob.commit()
    }

    @Test(
        "The next upload of the file replaces other bytes of the same length", arguments: Upload.allCases, [0, 10_000])
    func healedByUpload(upload: Upload, age: Int64) throws {
        let (first, second) = (try server(), try server())
        store.set(key, jello)
        #expect(code { _ = try second.blobs.open(digest) } == .corrupt)
        store.wait(seconds: age)
        try push(upload, to: first)
        #expect(store.bytes(key) == hello)
        #expect(try second.bytes(of: digest) == hello, "at once, also where it was known to be wrong")
    }

    @Test("A server with a copy of its own heals the object for the others")
    func healedBesideACopy() throws {
        let (first, second) = (try server(), try server())
        try first.add(hello)
        store.set(key, jello)
        #expect(try first.bytes(of: digest) == hello)
        try first.add(hello)
        #expect(try second.bytes(of: digest) == hello)
    }

    @Test("Where tags say nothing about bytes, what is uploaded again is sent once, and not while others wait")
    func opaqueTags() throws {
        store.useOpaqueTags()
        let server = try server()
        try push(.prepared, to: server)
        store.forget()
        try push(.prepared, to: server)
        #expect(store.calls.map(\.method) == ["HEAD", "PUT", "HEAD"])
        #expect(store.calls[1].body == hello)
    }

    @Test("What maintenance removes between the two steps of a commit is sent again")
    func removedMeanwhile() throws {
        let server = try server()
        let blob = try server.blobs.begin(limitBytes: .max)
        try hello.withUnsafeBytes { try blob.write($0) }
        try blob.prepareCommit()
        try server.blobs.remove(digest)
        try blob.commit()
        #expect(store.bytes(key) == hello)
    }

    @Test("The tag of an object in parts is known too, and large files are not sent again")
    func parts() throws {
        let folder = try TemporaryFolder()
        let bytes = [UInt8](repeating: 7, count: 70 << 20)
        let path = try folder.write(bytes, to: "file")
        let client = try store.client()
        try client.putInParts("big", path: path, size: UInt64(bytes.count))
        let tag = try client.head("big")?.tag
        #expect(tag?.hasSuffix("-3") == true)
        #expect(try ObjectTag.isThat(of: path, size: UInt64(bytes.count), tag))
        var others = bytes
        others[40 << 20] = 8
        let other = try folder.write(others, to: "other")
        #expect(try !ObjectTag.isThat(of: other, size: UInt64(bytes.count), tag))
        for tag in [nil, "", "x", "-", "00-3", "\(String(repeating: "0", count: 32))-9"] {
            #expect(try !ObjectTag.isThat(of: path, size: UInt64(bytes.count), tag))
        }
    }

    @Test("A longer object than the record says is not read, with or without its length in the answer")
    func longer() throws {
        let server = try server()
        let many = [UInt8](repeating: 1, count: 100_000)
        store.set(key, many)
        let error = #expect(throws: StorageError.self) { try server.blobs.open(digest) }
        #expect(error?.code == .corrupt && error?.message.contains("100000 bytes, not 5") == true)
        #expect(error?.message.contains("Push the file again") == true)
        #expect(try server.files.isEmpty)
        let second = try self.server()
        store.fail { _, _ in .otherBytes(many) }
        #expect(code { _ = try second.blobs.open(digest) } == .corrupt)
        #expect(try second.files.isEmpty)
    }

    @Test("A wrong object is fetched again when it has changed, or after a minute, and not for each request")
    func remembered() throws {
        let server = try server()
        store.set(key, jello)
        for _ in 0..<5 { #expect(code { _ = try server.blobs.open(digest) } == .corrupt) }
        #expect(fetches == 1)
        store.wait(seconds: 61)
        #expect(code { _ = try server.blobs.open(digest) } == .corrupt)
        #expect(fetches == 2)
        store.set(key, Array("HELLO".utf8))
        #expect(code { _ = try server.blobs.open(digest) } == .corrupt)
        #expect(fetches == 3)
        store.set(key, hello)
        #expect(try server.bytes(of: digest) == hello)
    }

    @Test("Bytes may have changed on their way, so what was wrong is not remembered for long")
    func memory() throws {
        let wrong = WrongObjects()
        wrong.note(digest, tag: "tag", nowSeconds: 1000)
        #expect(wrong.tag(of: digest, nowSeconds: 1059) == "tag")
        #expect(wrong.tag(of: digest, nowSeconds: 1060) == nil)
        wrong.note(digest, tag: "tag", nowSeconds: 1000)
        #expect(wrong.tag(of: digest, nowSeconds: 0) == nil, "a clock that was set back")
        for number in 0..<3000 {
            wrong.note(SHA256Hasher.hash(Array("\(number)".utf8)), tag: "x", nowSeconds: 1000)
        }
        let known = (0..<3000).count { wrong.tag(of: SHA256Hasher.hash(Array("\($0)".utf8)), nowSeconds: 1000) != nil }
        #expect(known <= 1000, "its memory is limited")
    }
}

@Suite(
    "A real store with an object that does not have the bytes of its name",
    .enabled(if: !RealStore.present.isEmpty, RealStore.absence))
struct RealWrongObjectTests {
    @Test(
        "It is refused, and replaced by the next upload; what is right is not sent again", arguments: RealStore.present)
    func healed(store: RealStore) throws {
        let client = try store.client()
        let (first, second) = (try ServerDouble(client), try ServerDouble(store.client(like: client)))
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let digest = try first.add(bytes)
        let name = S3BlobStore.name(digest)
        try client.put(name, .bytes([UInt8](repeating: 0, count: bytes.count)))
        for _ in 0..<2 { #expect(code { _ = try second.blobs.open(digest) } == .corrupt) }
        let wrong = try client.head(name)
        try first.add(bytes)
        let right = try client.head(name)
        #expect(right?.tag != wrong?.tag)
        #expect(try second.bytes(of: digest) == bytes)
        let folder = try TemporaryFolder()
        let path = try folder.write(bytes, to: "file")
        #expect(try ObjectTag.isThat(of: path, size: UInt64(bytes.count), right?.tag))
        try client.copy(name, to: name, size: UInt64(bytes.count))
        #expect(try ObjectTag.isThat(of: path, size: UInt64(bytes.count), client.head(name)?.tag), "also after a copy")
        let big = [UInt8](repeating: 9, count: 70 << 20)
        let bigPath = try folder.write(big, to: "big")
        try client.putInParts("big", path: bigPath, size: UInt64(big.count))
        #expect(try ObjectTag.isThat(of: bigPath, size: UInt64(big.count), client.head("big")?.tag))
    }
}
