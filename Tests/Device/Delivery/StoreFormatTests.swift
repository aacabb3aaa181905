import Foundation
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

    @Test("a new store says its format, and says it again when the whole store was removed")
    func new() throws {
        let store = try DeviceStore(path)
        #expect(try format() == Array(#"{"format":2}"#.utf8))
        try FileManager.default.removeItem(atPath: path)
        try store.install(Sample.v1)
        #expect(try format() == Array(#"{"format":2}"#.utf8))
    }

    @Test("a store of format 1 keeps its models and what there is to go back to")
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
        #expect(try store.putAside(Sample.v1)?.contents == Sample.v3)
    }

    @Test("a migration that cannot write costs no model, and is made up for")
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
        #expect(try store.putAside(Sample.v1)?.contents == Sample.v3)
    }

    @Test(
        "a newer store is refused, and nothing of it is touched",
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

    @Test("a store that a newer program takes over is not changed any more")
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
        #expect(fileErrorCode { _ = try store.putAside(Sample.v1) } == .incompatible)
        #expect(model.contents == Sample.v1)
    }

    @Test(
        "a number that is not readable is written anew, and the models stay",
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

    @Test("a store on a disk that cannot be written is read")
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
