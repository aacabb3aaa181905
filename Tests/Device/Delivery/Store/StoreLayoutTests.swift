import Foundation
import HearthCrypto
import HearthFiles
import HearthTestSupport
import Testing

@testable import HearthDelivery

@Suite("The store's format")
struct StoreFormatTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/app" }

    init() throws { folder = try TemporaryFolder() }

    private func format() throws -> [UInt8] { try DiskFiles().read(path + "/format", limitBytes: 100) }

    /// Every file below the store and its bytes.
    private func contents() throws -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
            found[name] = (try? DiskFiles().read(path + "/" + name, limitBytes: 1 << 20)) ?? []
        }
        return found
    }

    @Test("A new store contains its format number, also after the whole store was removed")
    func new() throws {
        let store = try DeviceStore(path)
        #expect(try format() == Array(#"{"format":2}"#.utf8))
        try FileManager.default.removeItem(atPath: path)
        try store.install(Sample.v1)
        #expect(try format() == Array(#"{"format":2}"#.utf8))
    }

    @Test("A store of format 1 keeps its models and their previous versions")
    func migration() throws {
        let old = Format1Store(folder: path, files: DiskFiles())
        try old.install(Sample.v1, before: Sample.v3)
        try old.install(Sample.v2, as: "a/b")
        try old.writePointer([1], as: "gone", before: [2])
        let store = try DeviceStore(path)
        #expect(try format() == Array(#"{"format":2}"#.utf8))
        #expect(try store.contents() == Sample.v1)
        #expect(try store.contents("a/b") == Sample.v2)
        let pointer = try DiskFiles().read(path + "/models/digits.json", limitBytes: 1000)
        #expect(
            String(decoding: pointer, as: UTF8.self)
                == """
                {"hash":"\(Sample.hash(Sample.v1))","name":"digits","previous":{"hash":"\(Sample.hash(Sample.v3))",\
                "size":5},"size":\(Sample.v1.count),"version":7}
                """)
        #expect(try store.collect() == 0)
        #expect(try store.reject(Sample.v1)?.contents == Sample.v3)
    }

    @Test("A migration that cannot write does not cost a model, and is repeated later")
    func failedMigration() throws {
        try Format1Store(folder: path, files: DiskFiles()).install(Sample.v1, before: Sample.v3)
        let files = FailingFiles { if case .createFile = $0 { FileError(.noSpace, "full") } else { nil } }
        let store = try DeviceStore(folder: path, files: files)
        #expect(try store.contents() == Sample.v1)
        #expect(try store.collect() == 0, "the version before it is still known")
        #expect(FileStamp(path: path + "/format") == nil)
        files.fail { _ in nil }
        #expect(try store.collect() == 0)
        #expect(try format() == Array(#"{"format":2}"#.utf8))
        #expect(try store.reject(Sample.v1)?.contents == Sample.v3)
    }

    @Test(
        "A newer store is refused, and stays unchanged",
        arguments: [
            #"{"format":3}"#, #"{"format":3,"more":[1]}"#, #"{"format":2.5}"#, #"{"format":99999999999999999999}"#,
        ])
    func newer(record: String) throws {
        try DeviceStore(path).install(Sample.v1)
        try Data(record.utf8).write(to: URL(fileURLWithPath: path + "/format"))
        _ = try folder.write([1], to: "app/files/incoming-3w5e11264sgs")
        let before = try contents()
        let error = fileError { _ = try DeviceStore(path) }
        #expect(error?.code == .incompatible)
        #expect(
            error?.message.hasSuffix("stored by a newer version of Hearth: update this program to use them") == true)
        #expect(try contents() == before)
    }

    @Test("A store that a newer program upgrades is not changed any more")
    func takenOver() throws {
        let store = try DeviceStore(path)
        let model = try store.install(Sample.v1)
        let file = try store.begin(Sample.v3)
        try file.add(Sample.v3)
        try Data(#"{"format":3}"#.utf8).write(to: URL(fileURLWithPath: path + "/format"))
        #expect(fileErrorCode { _ = try store.install(file, name: "digits", version: nil) } == .incompatible)
        #expect(fileErrorCode { _ = try store.begin(Sample.v2) } == .incompatible)
        #expect(fileErrorCode { _ = try store.delete("digits") } == .incompatible)
        #expect(fileErrorCode { _ = try store.collect() } == .incompatible)
        #expect(fileErrorCode { _ = try store.reject(Sample.v1) } == .incompatible)
        #expect(model.contents == Sample.v1)
    }

    @Test(
        "An unreadable format number is written again, and the models stay",
        arguments: [
            "", "{", "null", "2", #"{"format":"two"}"#, #"{"format":-1}"#, #"{"format":1e999}"#,
            String(repeating: " ", count: 10_000),
        ])
    func unreadable(record: String) throws {
        try DeviceStore(path).install(Sample.v1)
        try Data(record.utf8).write(to: URL(fileURLWithPath: path + "/format"))
        #expect(try DeviceStore(path).contents() == Sample.v1)
        #expect(try format() == Array(#"{"format":2}"#.utf8))
    }

    @Test("A store on a disk that cannot be written is read")
    func readOnly() throws {
        try DeviceStore(path).install(Sample.v1)
        let files = FailingFiles { step in
            if case .makeFolder = step { nil } else { FileError(.notPermitted, "read-only") }
        }
        let store = try DeviceStore(folder: path, files: files)
        #expect(try store.contents() == Sample.v1)
        #expect(try store.list().count == 1)
        #expect(store.isInstalled("digits"))
        #expect(fileErrorCode { _ = try store.install(Sample.v3) } == .notPermitted)
        #expect(fileErrorCode { _ = try store.delete("digits") } == .notPermitted)
        #expect(try store.contents() == Sample.v1)
    }
}

@Suite("Waiting for a store that another program holds")
struct StoreWaitTests {
    private let folder: TemporaryFolder
    private let store: DeviceStore

    init() throws {
        folder = try TemporaryFolder()
        store = try DeviceStore(folder: folder.path, files: DiskFiles(), longestWait: .milliseconds(1))
    }

    /// Simulates another program that was stopped in the middle of a change.
    private func holdStore() throws -> FileLock {
        try FileLock.acquire(folder.path + "/models/.store.lock")
    }

    @Test("No change waits forever: each fails with the same text, loses nothing, and works later")
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
                        Another program is using the model store \(folder.path): quit it or try \
                        again
                        """)
            }
            #expect(try store.contents() == Sample.v1, "reading does not wait")
            #expect(try store.list().count == 1)
            withExtendedLifetime(held) {}
        }
        #expect(try store.install(file, name: "digits", version: nil).contents == Sample.v2)
        #expect(try store.delete("digits"))
    }

    @Test("A version that does not work is still rejected, for this process")
    func reject() throws {
        let old = try store.install(Sample.v1)
        try store.install(Sample.v2)
        let held = try holdStore()
        #expect(try store.reject(Sample.v2) == old)
        #expect(try store.contents() == Sample.v1)
        withExtendedLifetime(held) {}
    }

    @Test("The bytes of a download that could not be installed stay for the next attempt")
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

    @Test("A download may stop waiting, and continues when the store is free")
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
        let release = {
            held = nil
            return true
        }
        let file = try store.begin(name: "digits", digest: digest, size: 5, mayWait: release)
        try file.add(Sample.v3)
        held = try holdStore()
        #expect(fileErrorCode { _ = try store.install(file, name: "digits", version: nil) { false } } == .busy)
        #expect(try store.install(file, name: "digits", version: nil, mayWait: release).contents == Sample.v3)
        #expect(held == nil)
    }

    @Test("A store of format 1 opens while another program holds it, and is upgraded later")
    func opening() throws {
        try store.install(Sample.v1)
        try DiskFiles().remove(folder.path + "/format")
        let held = try holdStore()
        let opened = try DeviceStore(folder: folder.path, files: DiskFiles(), longestWait: .zero)
        #expect(try opened.contents() == Sample.v1)
        withExtendedLifetime(held) {}
    }
}
