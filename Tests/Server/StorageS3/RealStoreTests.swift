import Foundation
import HearthCrypto
import HearthFiles
import HearthStorage
import HearthStorageS3TestSupport
import HearthTestSupport
import HearthTransport
import HearthWire
import Testing

@testable import HearthStorageS3

@Suite("A real S3-compatible store", .enabled(if: !RealStore.present.isEmpty, RealStore.absence))
struct RealStoreTests {
    private func read(_ client: S3Client, _ name: String, _ range: Range<UInt64>? = nil) throws -> [UInt8] {
        var found: [UInt8] = []
        try client.get(name, range: range) { found += $0 }
        return found
    }

    @Test(
        "Names of every kind of character are signed as the store expects", arguments: RealStore.present,
        ["plain", "a b", "a+b=c&d", "ä/ö ü/€😀", "%41%", "a*b(c)'d\"", "x;y:z@,$!", "~-_.", "q?x#y", "[a]{b}|\\^`<>"])
    func strangeNames(store: RealStore, name: String) throws {
        let client = try store.client()
        try client.put(name, .bytes([1, 2, 3]))
        #expect(try read(client, name) == [1, 2, 3])
        #expect(try client.list("").map(\.name) == [name])
        #expect(try client.head(name)?.size == 3)
        try client.copy(name, to: "copy of \(name)", size: 3)
        try client.delete(name)
        #expect(try client.list("").map(\.name) == ["copy of \(name)"])
        #expect(try client.head(name) == nil)
    }

    @Test("Ranges, sizes and times", arguments: RealStore.present)
    func ranges(store: RealStore) throws {
        let client = try store.client()
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try client.put("a", .bytes(bytes))
        #expect(try read(client, "a") == bytes)
        #expect(try read(client, "a", 10..<20) == Array(bytes[10..<20]))
        #expect(try read(client, "a", 99_999..<100_000) == [bytes[99_999]])
        let object = try #require(try client.list("a").first)
        let head = try #require(try client.head("a"))
        #expect(object.size == 100_000 && head == object)
        #expect(abs(object.modifiedSeconds - Int64(Date().timeIntervalSince1970)) < 900)
    }

    @Test("A wrong secret is told as such, and not shown", arguments: RealStore.present)
    func wrongSecret(store: RealStore) throws {
        let client = try store.client(secret: "not-the-s3cr3t", like: store.client())
        let error = try #require(throws: StorageError.self) { try client.put("a", .bytes([1])) }
        #expect(error.code == .io && error.message.contains("secret key"), "\(error)")
        #expect(!error.message.contains("s3cr3t"))
    }

    @Test("A body with another hash is refused by the store", arguments: RealStore.present)
    func wrongHash(store: RealStore) throws {
        let client = try store.client()
        let folder = try TemporaryFolder()
        let path = try folder.write([1, 2, 3], to: "file")
        let body = S3Call.Body.file(path: path, offset: 0, length: 3, sha256: SHA256Hasher.hash([1, 2, 4]))
        #expect(code { try client.put("a", body) } != nil)
        #expect(try client.head("a") == nil)
    }

    @Test("Anybody may follow a link until it ends", arguments: RealStore.present)
    func links(store: RealStore) throws {
        let client = try store.client()
        try client.put("a b", .bytes(Array("hello".utf8)))
        let transport = CurlTransport(configuration: .init(proxy: .none))
        let link = try client.presignedURL("a b", seconds: 60)
        #expect(try transport.send(TransportRequest(url: link)).body == Array("hello".utf8))
        let wrong = link.replacingOccurrences(of: "X-Amz-Expires=60", with: "X-Amz-Expires=61")
        #expect(try transport.send(TransportRequest(url: wrong)).status == 403)
    }

    @Test("A file in parts, and a copy in parts", arguments: RealStore.present)
    func parts(store: RealStore) throws {
        let client = try store.client()
        let folder = try TemporaryFolder()
        var random = SeededGenerator(seed: 8)
        let bytes = (0..<1_400_000).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } }
        let path = try folder.write(bytes, to: "file")
        let size = UInt64(bytes.count)
        try client.putInParts("big", path: path, size: size, partBytes: 5 << 20)
        #expect(try client.head("big")?.size == size)
        #expect(try read(client, "big") == bytes)
        let source = PercentEncoding.encode(
            "\(client.configuration.bucket)/\(client.configuration.key("big"))", keepsSlashes: true)
        try client.copyInParts(source, to: "copy", size: size, partBytes: 6 << 20)
        #expect(try read(client, "copy") == bytes)
        #expect(try client.unfinishedParts().isEmpty)
        var begin = S3Call("POST", client.configuration.key("left"))
        begin.query = [("uploads", "")]
        _ = try client.send(begin)
        #expect(try client.unfinishedParts().count == 1)
        #expect(try client.abortAbandonedParts(olderThanSeconds: -60) == 1)
        #expect(try client.unfinishedParts().isEmpty)
    }

    @Test("Long lists come in pages", arguments: RealStore.present)
    func pages(store: RealStore) throws {
        let client = try store.client()
        let names = (0..<1_050).map { "list/\(10_000 + $0)" }
        try Parallel.forEach(names) { name throws(StorageError) in try client.put(name, .bytes([])) }
        #expect(try client.list("list/").map(\.name) == names)
        #expect(try client.listFolders("") == ["list"])
        #expect(try client.listFolders("none/").isEmpty)
    }

    @Test("Two servers: begun at the one, continued at the other, and both at once", arguments: RealStore.present)
    func sharedUpload(store: RealStore) throws {
        let client = try store.client()
        let (a, b) = (try ServerDouble(client), try ServerDouble(store.client(like: client)))
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 13) }
        try a.append(Array(bytes[..<100_000]), to: "u", from: 0)
        let here = try #require(try a.blobs.resume("u", from: 100_000, limitBytes: .max))
        let there = try #require(try b.blobs.resume("u", from: 100_000, limitBytes: .max))
        for (blob, end) in [(here, 150_000), (there, 200_000)] {
            try bytes[100_000..<end].withUnsafeBytes { try blob.write($0) }
            try blob.synchronize()
        }
        let third = try ServerDouble(client)
        try third.append(Array(bytes[200_000...]), to: "u", from: 200_000)
        let digest = try third.finish("u", from: 300_000)
        #expect(digest == SHA256Hasher.hash(bytes))
        #expect(try a.bytes(of: digest) == bytes)
        #expect(try client.list("uploads/").isEmpty)
        let age = try #require(try b.blobs.blobAges().first)
        #expect(age.digest == digest && age.size == 300_000)
    }

    @Test("What is uploaded again is written again when it is old", arguments: RealStore.present)
    func rewriting(store: RealStore) throws {
        let client = try store.client()
        try client.put("a", .bytes([1]))
        try client.copy("a", to: "a", size: 1)
        #expect(try read(client, "a") == [1])
        #expect(code { try client.copy("none", to: "b", size: 1) } == .notFound)
    }

    @Test("The check finds nothing wrong, and leaves nothing", arguments: RealStore.present)
    func check(store: RealStore) throws {
        let client = try store.client()
        try ServerDouble(client).blobs.check()
        #expect(try client.list("").isEmpty)
    }
}

@Suite(
    "A real store over TLS", .enabled(if: TLSStore.address != nil, "set TEST_RADOSGW_TLS and TEST_ENGINES_AUTHORITY"))
struct TLSStoreTests {
    @Test("Its certificate is checked against the CA file of the settings")
    func certificates() throws {
        let trusting = try TLSStore.client(caFile: TLSStore.authority)
        let error = try #require(throws: StorageError.self) { _ = try trusting.list("") }
        #expect(error.message.contains("Make the bucket"), "\(error)")
        let other = try #require(throws: StorageError.self) { _ = try TLSStore.client(caFile: nil).list("") }
        #expect(other.code == .unavailable && other.message.contains("parameter 'ca'"), "\(other)")
    }
}

private enum TLSStore {
    static var authority: String? { ProcessInfo.processInfo.environment["TEST_ENGINES_AUTHORITY"] }
    static var address: URLComponents? {
        authority == nil
            ? nil : ProcessInfo.processInfo.environment["TEST_RADOSGW_TLS"].flatMap { URLComponents(string: $0) }
    }

    static func client(caFile: String?) throws -> S3Client {
        let address = try #require(address)
        let (host, port) = (try #require(address.host), try #require(address.port))
        let ca = caFile.map { "&ca=" + PercentEncoding.encode($0) } ?? ""
        return S3Client(
            try S3Configuration(url: "s3://there-is-none?endpoint=https://\(host):\(port)\(ca)"),
            credentials: try S3Credentials(
                accessKey: try #require(address.user), secretKey: try #require(address.password)),
            proxy: .none)
    }
}
