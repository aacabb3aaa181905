import HearthCrypto
import HearthFiles
import HearthTestSupport
import Testing

@testable import HearthDelivery

@Suite("Waiting for a store that another program holds")
struct StoreWaitTests {
    private let folder: TemporaryFolder
    private let store: DeviceStore

    init() throws {
        folder = try TemporaryFolder()
        store = try DeviceStore(folder: folder.path, files: DiskFiles(), longestWait: .milliseconds(1))
    }

    /// As if another program had been stopped in the middle of a change.
    private func holdStore() throws -> FileLock {
        try FileLock.acquire(folder.path + "/models/.store.lock")
    }

    @Test("no change waits for ever: each fails with the same words, loses nothing, and works later")
    func bounded() throws {
        try store.install(Sample.v1)
        let file = try store.begin(Sample.v2)
        try file.add(Sample.v2)
        do {
            let held = try holdStore()
            let store = store
            let changes: [() throws -> Void] = [
                { _ = try store.begin(Sample.v3, as: "birds") },
                { _ = try store.install(file, name: "digits", version: nil) },
                { _ = try store.delete("digits") },
                { _ = try store.collect() },
            ]
            for change in changes {
                let error = fileError(change)
                #expect(error?.code == .busy)
                #expect(
                    error?.message
                        == """
                        Another program holds the models in \(folder.path) and does not let go: end that program or try \
                        again
                        """)
            }
            #expect(try store.contents() == Sample.v1, "reading waits for nobody")
            #expect(try store.list().count == 1)
            withExtendedLifetime(held) {}
        }
        #expect(try store.install(file, name: "digits", version: nil).contents == Sample.v2)
        #expect(try store.delete("digits"))
    }

    @Test("a version that does not work is put aside all the same, for this process")
    func putAside() throws {
        let old = try store.install(Sample.v1)
        try store.install(Sample.v2)
        let held = try holdStore()
        #expect(try store.putAside(Sample.v2) == old)
        #expect(try store.contents() == Sample.v1)
        withExtendedLifetime(held) {}
    }

    @Test("the bytes of a download that could not be installed stay for the next try")
    func keptBytes() throws {
        do {
            let file = try store.begin(Sample.v2)
            try file.add(Sample.v2)
            let held = try holdStore()
            #expect(fileErrorCode { _ = try store.install(file, name: "digits", version: nil) } == .busy)
            withExtendedLifetime(held) {}
        }
        #expect(try store.begin(Sample.v2).size == UInt64(Sample.v2.count))
    }

    @Test("a fetch waits as long as it likes: it may give up, and goes on when the store is free")
    func mayWait() throws {
        let digest = SHA256Hasher.hash(Sample.v3)
        var held: FileLock? = try holdStore()
        var count = 0
        let code = fileErrorCode {
            _ = try store.begin(name: "digits", digest: digest, size: 5) {
                count += 1
                return count < 3
            }
        }
        #expect(code == .busy)
        #expect(count == 3)
        let letGo = {
            held = nil
            return true
        }
        let file = try store.begin(name: "digits", digest: digest, size: 5, mayWait: letGo)
        try file.add(Sample.v3)
        held = try holdStore()
        #expect(fileErrorCode { _ = try store.install(file, name: "digits", version: nil) { false } } == .busy)
        #expect(try store.install(file, name: "digits", version: nil, mayWait: letGo).contents == Sample.v3)
        #expect(held == nil)
    }

    @Test("a store in the old form opens while another program holds it, and is brought up to date later")
    func opening() throws {
        try store.install(Sample.v1)
        try DiskFiles().remove(folder.path + "/format")
        let held = try holdStore()
        let opened = try DeviceStore(folder: folder.path, files: DiskFiles(), longestWait: .zero)
        #expect(try opened.contents() == Sample.v1)
        withExtendedLifetime(held) {}
    }
}
