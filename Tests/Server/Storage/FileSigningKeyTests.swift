import Foundation
import HearthCatalog
import HearthFiles
import HearthStorage
import HearthTestSupport
import Testing

@Suite("Signing keys in files") struct FileSigningKeyTests {
    private let folder: TemporaryFolder
    private let metadata: any MetadataStore
    private var path: String { folder.path + "/signing-secret" }
    private var store: FileSigningKeyStore { FileSigningKeyStore(firstPath: path) }

    init() throws {
        folder = try TemporaryFolder()
        metadata = try MetadataKind.sqlite.makeEmptyStore()
    }

    /// Makes the next key.
    private func add(_ store: FileSigningKeyStore) throws {
        let key = SigningKey.next(after: try store.load(), nowMicroseconds: 1_800_000_000_000_001)
        try metadata.write { try store.add(key, in: $0) }
    }

    private func retire(_ number: Int, _ store: FileSigningKeyStore) throws {
        var key = try #require(try store.load().first { $0.number == number })
        key.retire(atMicroseconds: 1_800_000_000_000_002, installationHashKey: number == 1 ? [1, 2, 3] : [])
        try metadata.write { try store.retire(key, in: $0) }
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test("The file of an earlier version is the first key; further keys are files beside it, for the owner only")
    func files() throws {
        let bytes = [UInt8](0..<32)
        try AtomicFile.write(bytes, to: path)
        try add(store)
        try add(store)
        let keys = try store.load()
        #expect(keys.map(\.number) == [1, 2, 3] && keys[0].secret == bytes && keys.allSatisfy { !$0.isRetired })
        #expect(keys[1].createdMicroseconds == 1_800_000_000_000_001 && keys[1].secret != keys[2].secret)
        #expect(try names() == ["signing-key-2", "signing-key-3", "signing-secret"])
        for name in try names() {
            let mode = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)[.posixPermissions]
            #expect(mode as? Int == 0o600)
        }
        #expect(try DiskFiles().read(path, limitBytes: 100) == bytes, "an earlier version can still use it")
    }

    @Test("A retired key's secret is in no file any more, and its number stays taken", arguments: [1, 2, 3])
    func retired(number: Int) throws {
        _ = try store.loadOrMake(nowMicroseconds: 0)
        try add(store)
        try add(store)
        let before = try store.load()
        try retire(number, store)
        let after = try store.load()
        #expect(after.map(\.isRetired) == (1...3).map { $0 == number })
        #expect(after[number - 1].secret == [] && after[number - 1].retiredMicroseconds == 1_800_000_000_000_002)
        #expect(after[number - 1].installationHashKey == (number == 1 ? [1, 2, 3] : []))
        #expect(abs(after[number - 1].createdMicroseconds - before[number - 1].createdMicroseconds) < 1000)
        let texts = try names().map { try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + $0)) }
        let secret = before[number - 1].secret
        for text in texts {
            #expect(text.range(of: Data(secret)) == nil)
            #expect(!String(decoding: text, as: UTF8.self).contains(Data(secret).base64EncodedString().prefix(20)))
        }
        try add(store)
        #expect(try store.load().map(\.number) == [1, 2, 3, 4])
    }

    @Test("When the only key in use is lost, the next start makes another one")
    func lost() throws {
        _ = try store.loadOrMake(nowMicroseconds: 0)
        try add(store)
        try retire(1, store)
        try FileManager.default.removeItem(atPath: folder.path + "/signing-key-2")
        let keys = try store.loadOrMake(nowMicroseconds: 9)
        #expect(keys.map(\.number) == [1, 2] && keys[0].isRetired && !keys[1].isRetired)
        #expect(try store.load() == keys)
    }

    @Test("Copies and half-written files are no keys; those that a kill left are removed, and no others")
    func otherFiles() throws {
        _ = try store.loadOrMake(nowMicroseconds: 0)
        try add(store)
        let halves = ["signing-key-3.new-0a1b2c3d4e5f6.hearth", "signing-secret.new-0a1b2c3d4e5f6.hearth"]
        let copies = ["signing-key-02", "signing-key-2.bak", "signing-key-", "signing-key-x", "signing-key-1"]
        for name in halves + copies {
            try AtomicFile.write(Array(#"{"createTime""#.utf8), to: folder.path + "/" + name)
        }
        #expect(try store.load().map(\.number) == [1, 2])
        try store.sweepAbandoned()
        #expect(try names() == (copies + ["signing-secret", "signing-key-2"]).sorted())
    }

    @Test(
        "A key's file that is no key is an error that names it, and is not replaced",
        arguments: [
            "", "{", "{}", #"{"createTime":"2027-01-15T08:00:00Z"}"#,
            #"{"createTime":"2027-01-15T08:00:00Z","secret":"AAAA"}"#,
            #"{"createTime":"yesterday","secret":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}"#,
            #"{"createTime":"2027-01-15T08:00:00Z","retireTime":"x"}"#,
            "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        ])
    func damaged(text: String) throws {
        _ = try store.loadOrMake(nowMicroseconds: 0)
        let file = try folder.write(Array(text.utf8), to: "signing-key-2")
        let error = #expect(throws: FileError.self) { try store.loadOrMake(nowMicroseconds: 0) }
        #expect(error?.message == "The signing key \(file) is damaged: it does not contain a key")
        #expect(try DiskFiles().read(file, limitBytes: 1000) == Array(text.utf8))
        #expect(try store.damage().map(\.path) == [file])
    }

    @Test("A retired first key without what counts need of it is damaged")
    func firstWithoutHashKey() throws {
        _ = try folder.write(
            Array(#"{"createTime":"2027-01-15T08:00:00Z","retireTime":"2027-01-16T08:00:00Z"}"#.utf8),
            to: "signing-secret")
        #expect(throws: FileError.self) { try store.load() }
    }

    @Test("A power loss at any moment leaves each key as it was, or as it should be")
    func powerLoss() throws {
        let files = RecordingFiles(root: folder.path)
        let store = FileSigningKeyStore(firstPath: path, files: files)
        let first = try store.loadOrMake(nowMicroseconds: 0)[0]
        files.note("first")
        try add(store)
        files.note("rotated")
        try retire(1, store)
        files.note("retired")
        let count = try CrashReplay(files).forEachState { state in
            let keys = try FileSigningKeyStore(firstPath: state.folder + "/signing-secret").loadOrMake(
                nowMicroseconds: 0)
            if state.notes.contains("first"), !keys[0].isRetired { #expect(keys[0].secret == first.secret, "\(state)") }
            if state.notes.contains("rotated") { #expect(keys.map(\.number) == [1, 2], "\(state)") }
            if state.notes.contains("retired") { #expect(keys[0].isRetired, "\(state)") }
            #expect(!keys[0].isRetired || keys.count == 2, "\(state)")
        }
        #expect(count > 10)
    }
}
