import HearthCrypto
import HearthFiles
import HearthStorage
import HearthStorageS3
import HearthStorageS3TestSupport
import HearthTestSupport
import Testing

@Suite("Uploads that continue at another server") struct SharedUploadTests {
    private let store = StoreDouble()
    private let (a, b): (ServerDouble, ServerDouble)
    private let bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 11) }

    init() throws { (a, b) = (try ServerDouble(store.client()), try ServerDouble(store.client())) }

    private func piece(_ range: Range<Int>) -> [UInt8] { Array(bytes[range]) }

    @Test("Begun here, continued there, and finished here again")
    func turns() throws {
        try a.append(piece(0..<100), to: "u", from: 0)
        try b.append(piece(100..<500), to: "u", from: 100)
        // Here are still the first 100 bytes; the rest comes from the store.
        try a.append(piece(500..<1_000), to: "u", from: 500)
        #expect(try b.blobs.resumable() == ["u"])
        let digest = try b.finish("u", from: 1_000)
        #expect(digest == SHA256Hasher.hash(bytes))
        #expect(try a.bytes(of: digest) == bytes)
        #expect(store.keys == ["blobs/\(digest.hex)"])
        #expect(try b.blobs.resumable().isEmpty)
        #expect(try a.blobs.resumable() == ["u"], "the local file of the other server")
        #expect(try a.blobs.resumableHere() == ["u"])
        try a.blobs.removeResumableHere("u")
        #expect(try a.blobs.resumable().isEmpty)
    }

    @Test("Only a server that lacks earlier bytes fetches them, and keeps what other servers have")
    func fetching() throws {
        try a.append(piece(0..<100), to: "u", from: 0)
        #expect(a.blobs.resumesAtOnce("u", from: 100))
        #expect(!b.blobs.resumesAtOnce("u", from: 100))
        #expect(b.blobs.resumesAtOnce("new", from: 0))
        _ = try b.blobs.resume("u", from: 100, limitBytes: .max)
        #expect(b.blobs.resumesAtOnce("u", from: 100))
        try b.blobs.removeResumableHere("u")
        #expect(!b.blobs.resumesAtOnce("u", from: 100))
        try b.append(piece(100..<1_000), to: "u", from: 100)
        #expect(try b.finish("u", from: 1_000) == SHA256Hasher.hash(bytes))
    }

    @Test("A server that died has stored every byte that was confirmed")
    func deadServer() throws {
        do {
            let dead = try ServerDouble(store.client())
            try dead.append(piece(0..<300), to: "u", from: 0)
            try dead.append(piece(300..<600), to: "u", from: 300)
            let blob = try #require(try dead.blobs.resume("u", from: 600, limitBytes: .max))
            try piece(600..<700).withUnsafeBytes { try blob.write($0) }
        }
        try b.append(piece(600..<1_000), to: "u", from: 600)
        #expect(try b.finish("u", from: 1_000) == SHA256Hasher.hash(bytes))
    }

    @Test("Both continue at once with the same bytes, in pieces of different lengths", arguments: [300, 400, 1_000])
    func sameBytesAtOnce(confirmed: Int) throws {
        try a.append(piece(0..<100), to: "u", from: 0)
        let here = try #require(try a.blobs.resume("u", from: 100, limitBytes: .max))
        let there = try #require(try b.blobs.resume("u", from: 100, limitBytes: .max))
        try piece(100..<400).withUnsafeBytes { try here.write($0) }
        try piece(100..<300).withUnsafeBytes { try there.write($0) }
        try there.synchronize()
        try here.synchronize()
        try piece(300..<1_000).withUnsafeBytes { try there.write($0) }
        try there.synchronize()
        // The record may have followed either of them.
        let third = try ServerDouble(store.client())
        try third.append(Array(bytes[confirmed...]), to: "u", from: UInt64(confirmed))
        #expect(try third.finish("u", from: 1_000) == SHA256Hasher.hash(bytes))
    }

    @Test("Both continue at once with different bytes: no server takes the one's for the other's")
    func differentBytesAtOnce() throws {
        try a.append(piece(0..<100), to: "u", from: 0)
        let here = try #require(try a.blobs.resume("u", from: 100, limitBytes: .max))
        let there = try #require(try b.blobs.resume("u", from: 100, limitBytes: .max))
        try [UInt8](repeating: 1, count: 50).withUnsafeBytes { try here.write($0) }
        try [UInt8](repeating: 2, count: 50).withUnsafeBytes { try there.write($0) }
        try here.synchronize()
        try there.synchronize()
        func resume(_ server: ServerDouble) -> StorageError.Code? {
            code { _ = try server.blobs.resume("u", from: 150, limitBytes: .max) }
        }
        withExtendedLifetime((here, there)) {}
        #expect(resume(try ServerDouble(store.client())) == .corrupt)
        #expect(resume(a) == nil, "while the sitting lasts, another cannot begin")
    }

    @Test("A server whose own bytes were not the confirmed ones takes those")
    func ownBytesLost() throws {
        try a.append(piece(0..<100), to: "u", from: 0)
        do {
            // Never stored, because the store was away.
            let blob = try #require(try a.blobs.resume("u", from: 100, limitBytes: .max))
            try [UInt8](repeating: 0, count: 500).withUnsafeBytes { try blob.write($0) }
            store.fail { call, _ in call.method == "PUT" ? .unreachable : nil }
            #expect(code { try blob.synchronize() } == .unavailable)
            store.fail(nil)
        }
        try b.append(piece(100..<600), to: "u", from: 100)
        try a.append(piece(600..<1_000), to: "u", from: 600)
        #expect(try a.finish("u", from: 1_000) == SHA256Hasher.hash(bytes))
    }

    @Test("After a failure, the same sitting stores what is missing")
    func laterSynchronization() throws {
        let blob = try #require(try a.blobs.resume("u", from: 0, limitBytes: .max))
        try piece(0..<400).withUnsafeBytes { try blob.write($0) }
        store.fail { call, _ in call.method == "PUT" ? .answer(403) : nil }
        #expect(code { try blob.synchronize() } == .io)
        store.fail(nil)
        try piece(400..<1_000).withUnsafeBytes { try blob.write($0) }
        try blob.synchronize()
        #expect(try b.finish("u", from: 1_000) == SHA256Hasher.hash(bytes))
    }

    @Test("A lost or damaged piece is noticed")
    func lostPiece() throws {
        try a.append(piece(0..<500), to: "u", from: 0)
        try a.append(piece(500..<1_000), to: "u", from: 500)
        let key = try #require(store.keys.last)
        store.set(key, [UInt8](repeating: 0, count: 500))
        #expect(code { _ = try b.blobs.resume("u", from: 1_000, limitBytes: .max) } == .corrupt)
        try a.blobs.removeResumable("u")
        try a.append(piece(0..<500), to: "u", from: 0)
        #expect(code { _ = try b.blobs.resume("u", from: 501, limitBytes: .max) } == .notFound)
    }

    @Test("Cancelled anywhere, it is gone for every server, whatever is there locally")
    func cancelled() throws {
        try a.append(piece(0..<500), to: "u", from: 0)
        try b.blobs.removeResumable("u")
        #expect(store.keys.isEmpty)
        #expect(code { _ = try a.blobs.resume("u", from: 500, limitBytes: .max) } == .notFound)
    }

    @Test("An id is no path", arguments: ["", ".", "..", "../x", "a/b", "a\0b", "ä", "a b"])
    func pathTricks(id: String) throws {
        #expect(code { _ = try a.blobs.resume(id, from: 0, limitBytes: 9) } == .notFound)
        #expect(code { try a.blobs.removeResumable(id) } == .notFound)
        #expect(store.calls.isEmpty)
    }
}
