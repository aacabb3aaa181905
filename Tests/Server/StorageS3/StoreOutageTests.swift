import Foundation
import HearthCrypto
import HearthStorage
import HearthStorageS3
import Synchronization
import Testing

@Suite("A store that goes away and comes back") struct StoreOutageTests {
    private let store = StoreDouble()
    private let server: ServerDouble
    private let hello = Array("hello".utf8)

    init() throws { server = try ServerDouble(try store.client()) }

    private func goAway() {
        store.fail { _, _ in .unreachable }
        server.blobs.probe()
    }

    private func comeBack() {
        store.fail(nil)
        server.blobs.probe()
    }

    @Test("Kept files are served, everything else is refused at once, and all is well afterwards")
    func outage() throws {
        let kept = try server.add(hello)
        let other = SHA256Hasher.hash("other".utf8)
        store.set("blobs/\(other.hex)", Array("other".utf8))
        goAway()
        #expect(!server.blobs.isAnswering)
        store.fail { _, _ in .unreachable }
        #expect(try server.bytes(of: kept) == hello)
        #expect(code { _ = try server.bytes(of: other) } == .unavailable)
        #expect(code { _ = try server.blobs.begin(limitBytes: 9) } == .unavailable)
        #expect(code { try server.append(hello, to: "upload", from: 0) } == .unavailable)
        #expect(store.calls.isEmpty, "nobody waits for the store")
        #expect(store.pauses.isEmpty)
        comeBack()
        #expect(server.blobs.isAnswering)
        #expect(try server.bytes(of: other) == Array("other".utf8))
        try server.add(Array("new".utf8))
    }

    @Test("A resumable upload continues after the outage where it was")
    func upload() throws {
        try server.append(hello, to: "upload", from: 0)
        goAway()
        #expect(code { try server.append(hello, to: "upload", from: 5) } == .unavailable)
        comeBack()
        try server.append(hello, to: "upload", from: 5)
        #expect(try server.finish("upload", from: 10) == SHA256Hasher.hash("hellohello".utf8))
    }

    @Test("A request that is tried again ends when the store is found to be away")
    func requestInProgress() throws {
        let digest = SHA256Hasher.hash("other".utf8)
        store.fail { [blobs = server.blobs] call, number in
            // While the first try fails, the probe finds out.
            if call.method == "GET", number == 1 { blobs.probe() }
            return .unreachable
        }
        #expect(code { _ = try server.blobs.open(digest) } == .unavailable)
        #expect(store.lines.filter { $0.hasPrefix("GET") }.count == 1)
    }

    @Test("A store with a condition is used after the condition has held once")
    func condition() throws {
        let holds = Mutex<StorageError.Code?>(.unavailable)
        let asked = Mutex(0)
        server.blobs.require(pausing: .zero) {
            asked.withLock { $0 += 1 }
            if let code = holds.withLock({ $0 }) { throw StorageError(code, "They belong to others") }
        }
        #expect(code { _ = try server.blobs.begin(limitBytes: 9) } == .unavailable)
        server.blobs.probe()
        #expect(!server.blobs.isAnswering && server.blobs.refusal == nil, "the store went away meanwhile")
        holds.withLock { $0 = .corrupt }
        server.blobs.probe()
        #expect(!server.blobs.isAnswering && server.blobs.refusal == "They belong to others")
        goAway()
        #expect(asked.withLock { $0 } == 2, "nothing is asked of a store that is away")
        holds.withLock { $0 = nil }
        comeBack()
        #expect(server.blobs.isAnswering && server.blobs.refusal == nil)
        try server.add(hello)
        comeBack()
        #expect(asked.withLock { $0 } == 3)
    }

    @Test("After a refusal the condition is not tried again at once, because that may take many requests")
    func pause() throws {
        let asked = Mutex(0)
        server.blobs.require {
            asked.withLock { $0 += 1 }
            throw StorageError(.corrupt, "They belong to others")
        }
        for _ in 0..<3 { server.blobs.probe() }
        #expect(asked.withLock { $0 } == 1)
        #expect(!server.blobs.isAnswering && server.blobs.outage?.contains("They belong to others") == true)
        #expect(
            try server.blobs.downloadURL(SHA256Hasher.hash(hello), seconds: 60) == nil, "no link to files of others")
    }

    @Test("A refusal of the store is an answer, and one lost request is no sign")
    func answers() throws {
        for status in [403, 404, 400] {
            store.fail { _, _ in .answer(status) }
            server.blobs.probe()
            #expect(server.blobs.isAnswering, "\(status)")
        }
        store.fail { _, number in number == 1 ? .unreachable : nil }
        server.blobs.probe()
        #expect(server.blobs.isAnswering)
        store.fail { _, _ in .answer(503) }
        server.blobs.probe()
        #expect(!server.blobs.isAnswering)
    }
}
