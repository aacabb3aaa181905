import Foundation
import HearthCrypto
import HearthFiles
import HearthTestSupport
import Testing

@testable import HearthDelivery

@Suite("Finding, listing and rejecting")
struct StoreLookupTests {
    private let folder: TemporaryFolder
    private let store: DeviceStore

    init() throws {
        folder = try TemporaryFolder()
        store = try DeviceStore(folder.path)
    }

    private func path(_ bytes: [UInt8]) -> String { folder.path + "/files/" + Sample.hash(bytes) }

    private func damage(_ bytes: [UInt8]) throws {
        try Data(bytes.dropLast() + [bytes[bytes.count - 1] ^ 1]).write(to: URL(fileURLWithPath: path(bytes)))
    }

    @Test("A damaged file is noticed even when the file was verified a moment before")
    func damaged() throws {
        try store.install(Sample.v1)
        for _ in 0..<50 {
            #expect(try store.contents() == Sample.v1)
            try damage(Sample.v1)
            #expect(try store.find("digits") == .damaged(previous: nil))
            try Data(Sample.v1).write(to: URL(fileURLWithPath: path(Sample.v1)))
        }
    }

    @Test("A verified file is not read again until it changes")
    func verifiedOnce() throws {
        let model = try store.install(Sample.v2)
        let lease = try #require(try FileLease.take(model.path))
        let files = VerifiedFiles()
        let digest = SHA256Hasher.hash(Sample.v2)
        // The stamp of a file that has just changed is not reliable yet.
        while try !#require(lease.stamp).isSettled() { sched_yield() }
        #expect(try files.isWhole(lease, digest, size: 200_000))
        #expect(files.count == 1)
        #expect(try files.isWhole(lease, digest, size: 200_000))
        #expect(try !files.isWhole(lease, SHA256Hasher.hash(Sample.v1), size: 200_000))
        #expect(try !files.isWhole(lease, digest, size: 1))
        try damage(Sample.v2)
        #expect(try !files.isWhole(lease, digest, size: 200_000))
        while try !#require(lease.stamp).isSettled() { sched_yield() }
        #expect(try !files.isWhole(lease, digest, size: 200_000))
        #expect(files.count == 2, "nor is a damaged one")
    }

    @Test("A lookup of a damaged model reports the version before it, and the pointer stays")
    func damagedWithPrevious() throws {
        let old = try store.install(Sample.v1)
        try store.install(Sample.v2)
        try damage(Sample.v2)
        #expect(try store.find("digits") == .damaged(previous: old))
        #expect(try store.find("digits") == .damaged(previous: old))
        #expect(try store.collect() == 0)
        try damage(Sample.v1)
        #expect(try store.find("digits") == .damaged(previous: nil))
        try store.install(Sample.v2)
        #expect(try store.contents() == Sample.v2)
    }

    @Test("A rollback to a damaged version is impossible: the one before it stays")
    func damagedIsNoPrevious() throws {
        let first = try store.install(Sample.v1)
        try store.install(Sample.v2)
        try damage(Sample.v2)
        try store.install(Sample.v3)
        #expect(try store.reject(Sample.v3) == first)
    }

    @Test("A missing file counts as damage")
    func gone() throws {
        try store.install(Sample.v1)
        try FileManager.default.removeItem(atPath: path(Sample.v1))
        #expect(try store.find("digits") == .damaged(previous: nil))
        #expect(!store.isInstalled("digits"))
    }

    @Test("Whether a model is installed: a record and a file of the right length")
    func isInstalled() throws {
        #expect(!store.isInstalled("digits"))
        try store.install(Sample.v1)
        #expect(store.isInstalled("digits"))
        try Data([1]).write(to: URL(fileURLWithPath: path(Sample.v1)))
        #expect(!store.isInstalled("digits"))
    }

    @Test("Rejected: the version before it is installed again, and the reason is stored")
    func reject() throws {
        let old = try store.install(Sample.v1, version: 1)
        try store.install(Sample.v2, version: 2)
        #expect(try store.reject(Sample.v2, reason: "unknown operator") == old)
        #expect(try store.find("digits") == .installed(old))
        #expect(try store.rejectionReason(Sample.v2) == "unknown operator")
        #expect(try store.rejectionReason(Sample.v1) == nil)
        #expect(try store.rejectionReason(Sample.v2, of: "birds") == nil)
        #expect(FileStamp(path: path(Sample.v2)) == nil, "its bytes are not used")
        try store.install(Sample.v3)
        #expect(try store.rejectionReason(Sample.v2) == "unknown operator")
        #expect(try store.reject(Sample.v3) == old, "it is also the version before this one")
    }

    @Test("Rejected without a version before it: no version is installed, and the reason is stored")
    func putAsideOnly() throws {
        try store.install(Sample.v1)
        #expect(try store.reject(Sample.v1, reason: "why") == nil)
        #expect(try store.find("digits") == .missing)
        #expect(try store.list() == [])
        #expect(!store.isInstalled("digits"))
        #expect(try store.rejectionReason(Sample.v1) == "why")
        #expect(try !store.delete("digits"))
        #expect(try store.rejectionReason(Sample.v1) == nil)
    }

    @Test("Rejected before it was installed, or after it was replaced: the installed version stays")
    func putAsideOther() throws {
        let old = try store.install(Sample.v1)
        do {
            let file = try store.begin(Sample.v2)
            try file.add(Sample.v2)
            #expect(try store.reject(Sample.v2) == old)
        }
        #expect(try store.collect() == 1, "its unfinished download is not used")
        let new = try store.install(Sample.v3)
        #expect(try store.reject(Sample.v1) == new)
        #expect(try store.reject(Sample.v3) == nil, "the one before it was rejected too")
    }

    @Test("Rejected, but the version before it is damaged: that one is not installed again")
    func putAsideDamaged() throws {
        try store.install(Sample.v1)
        try store.install(Sample.v2)
        try damage(Sample.v1)
        #expect(try store.reject(Sample.v2) == nil)
        #expect(try store.find("digits") == .missing)
    }

    @Test("Another version of the library may use a rejected version again")
    func otherLibrary() throws {
        try store.install(Sample.v1)
        try store.install(Sample.v2)
        _ = try store.reject(Sample.v2)
        let newer = try DeviceStore(folder: folder.path, files: DiskFiles(), libraryVersion: "next")
        #expect(try newer.rejectionReason(Sample.v2) == nil)
        #expect(try store.rejectionReason(Sample.v2) == "no")
        try newer.install(Sample.v2)
        #expect(try store.rejectionReason(Sample.v2) == nil, "it works now")
    }

    @Test("The last eight rejections are stored, with reasons of any length")
    func rejectedLimit() throws {
        try store.install(Sample.v1)
        for number in 0..<20 {
            let reason = String(repeating: "\u{0}é", count: 100_000)
            _ = try store.reject([UInt8(number)], reason: reason)
        }
        #expect(try (0..<20).map { try store.rejectionReason([UInt8($0)]) != nil } == (0..<20).map { $0 >= 12 })
        #expect(try store.contents() == Sample.v1)
    }

    @Test(
        "Unreadable details do not cost the model",
        arguments: [
            #""previous":5"#, #""previous":{"hash":"../../etc/passwd","size":1}"#, #""aside":{"a":1}"#,
            #""previous":{"hash":"x","size":18446744073709551615}"#, #""previousHash":"../../x""#, #""previousHash":7"#,
            #""aside":[{"hash":1}]"#, #""version":"seven""#, #""version":99999999999999999999"#,
        ])
    func hostileDetails(detail: String) throws {
        let model = try store.install(Sample.v1)
        let pointer = #"{"name":"digits","hash":"\#(model.hash)","size":\#(model.size),\#(detail)}"#
        try Data(pointer.utf8).write(to: URL(fileURLWithPath: folder.path + "/models/digits.json"))
        let isVersionBad = detail.hasPrefix(#""version""#)
        #expect(try store.contents() == (isVersionBad ? nil : Sample.v1))
        #expect(try DeviceStore(folder.path).install(Sample.v3).contents == Sample.v3)
        _ = try store.reject(Sample.v3)
        #expect(try DeviceStore(folder.path).install(Sample.v2).contents == Sample.v2)
    }

    @Test("A name that is too long for a record is refused, and does no harm")
    func hugeName() throws {
        let name = String(repeating: "n", count: 100_000)
        #expect(fileErrorCode { _ = try store.begin(Sample.v1, as: name) } == .io)
        #expect(try store.find(name) == .missing)
        #expect(try DiskFiles().list(folder.path + "/files") == [])
    }

    @Test("Folders, pipes and links instead of records: no model, and the reader does not block")
    func strangePointers() throws {
        let models = folder.path + "/models/"
        try FileManager.default.createDirectory(atPath: models + "a.json", withIntermediateDirectories: false)
        #expect(mkfifo(models + "b.json", 0o600) == 0)
        try FileManager.default.createSymbolicLink(atPath: models + "c.json", withDestinationPath: "/dev/zero")
        try FileManager.default.createSymbolicLink(atPath: models + "d.json", withDestinationPath: "d.json")
        for name in ["a", "b", "c"] { #expect(try store.find(name) == .missing) }
        #expect(fileErrorCode { _ = try store.find("d") } == .io)
    }
}

@Suite("Rejecting on a disk that cannot be written")
struct StoreUnwrittenAsideTests {
    private let folder: TemporaryFolder
    private let files = FailingFiles()
    private let store: DeviceStore

    init() throws {
        folder = try TemporaryFolder()
        store = try DeviceStore(folder: folder.path, files: files)
    }

    private func makeReadOnly() {
        files.fail { step in
            if case .makeFolder = step { nil } else { FileError(.notPermitted, "The disk is read-only") }
        }
    }

    @Test("This process uses the version before it, and does not request the broken one again")
    func previous() throws {
        let old = try store.install(Sample.v1)
        try store.install(Sample.v2)
        makeReadOnly()
        #expect(try store.reject(Sample.v2, reason: "unknown operator") == old)
        #expect(try DeviceStore(folder: folder.path, files: files).find("digits") == .installed(old))
        #expect(try store.list() == [old])
        #expect(try store.rejectionReason(Sample.v2) == "unknown operator")
    }

    @Test("Without a version before it there is no model, and the bytes stay as long as the record")
    func only() throws {
        let model = try store.install(Sample.v1)
        makeReadOnly()
        #expect(try store.reject(Sample.v1) == nil)
        #expect(try store.find("digits") == .missing)
        #expect(!store.isInstalled("digits"))
        files.fail { _ in nil }
        #expect(try store.collect() == 0)
        #expect(model.contents == Sample.v1)
    }

    @Test("The next change of the record writes it down")
    func later() throws {
        let old = try store.install(Sample.v1)
        try store.install(Sample.v2)
        makeReadOnly()
        _ = try store.reject(Sample.v2)
        files.fail { _ in nil }
        try store.install(Sample.v3)
        UnwrittenRejections.shared.forget(recordAt: folder.path + "/models/digits.json")
        #expect(try store.rejectionReason(Sample.v2) == "no")
        #expect(try store.reject(Sample.v3) == old)
    }

    @Test("After a deletion, the model may be downloaded again")
    func deleted() throws {
        try store.install(Sample.v1)
        makeReadOnly()
        _ = try store.reject(Sample.v1)
        files.fail { _ in nil }
        _ = try store.delete("digits")
        try store.install(Sample.v1)
        #expect(try store.contents() == Sample.v1)
    }
}
