import Foundation
import HearthCrypto
import HearthTestSupport
import Testing

@testable import HearthFiles

@Suite("Files named by their hash")
struct ContentStoreTests {
    private let folder: TemporaryFolder
    private let store: ContentStore
    private let bytes = [UInt8]("model bytes".utf8)

    init() throws {
        folder = try TemporaryFolder()
        store = try ContentStore(folder: folder.path + "/files")
    }

    private var digest: SHA256Digest { SHA256Hasher.hash(bytes) }

    private func names() throws -> [String] { try DiskFiles().list(store.folder) }

    private func begin(_ bytes: [UInt8], limit: UInt64 = 1000) throws -> IncomingFile {
        let file = try store.begin(limitBytes: limit)
        try bytes.withUnsafeBytes { try file.write($0) }
        return file
    }

    @Test("nothing is visible before commit, and everything after it")
    func commit() throws {
        let file = try begin(bytes)
        #expect(try store.digests() == [])
        #expect(try file.seal() == digest)
        #expect(try store.size(of: digest) == nil)
        #expect(try file.commit(expecting: digest, size: UInt64(bytes.count)) == digest)
        #expect(try store.digests() == [digest])
        #expect(try store.size(of: digest) == UInt64(bytes.count))
        #expect(try store.isWhole(digest, size: UInt64(bytes.count)))
        #expect(try names() == [digest.hex])
        let modes = try [store.folder, store.path(of: digest)].map {
            try FileManager.default.attributesOfItem(atPath: $0)[.posixPermissions] as? Int
        }
        #expect(modes == [0o700, 0o600])
    }

    @Test("the empty file is a file")
    func empty() throws {
        let file = try store.begin(limitBytes: 0)
        let digest = try file.commit(size: 0)
        #expect(digest == SHA256Hasher.hash([]))
        #expect(try store.isWhole(digest, size: 0))
    }

    @Test("as many bytes as allowed, and not one more", arguments: [1, 10, 11])
    func limit(step: Int) throws {
        let file = try begin([], limit: 11)
        for start in stride(from: 0, to: 11, by: step) {
            try bytes[start..<min(start + step, 11)].withUnsafeBytes { try file.write($0) }
        }
        #expect(fileErrorCode { try [1].withUnsafeBytes { try file.write($0) } } == .tooLarge)
        #expect(file.size == 11)
        #expect(try file.commit() == digest, "the refused byte left no trace")
    }

    @Test("another length or hash than announced is refused and leaves nothing")
    func mismatch() throws {
        let other = SHA256Hasher.hash([1])
        do {
            let file = try begin(bytes)
            #expect(fileErrorCode { try file.commit(expecting: digest, size: 12) } == .mismatch)
        }
        do {
            let file = try begin(bytes)
            #expect(fileErrorCode { try file.commit(expecting: other, size: 11) } == .mismatch)
        }
        #expect(try names() == [])
    }

    @Test("released without commit, its bytes are deleted")
    func abandon() throws {
        do {
            _ = try begin(bytes)
        }
        #expect(try names() == [])
    }

    @Test("a complete file takes no more bytes")
    func sealed() throws {
        let file = try begin(bytes)
        _ = try file.seal()
        #expect(fileErrorCode { try [1].withUnsafeBytes { try file.write($0) } } == .io)
        #expect(try file.commit() == digest)
    }

    @Test("after a failed write the file can never be committed")
    func failedWrite() throws {
        let failing = FailingFiles()
        failing.limitSpace(15)
        let store = try ContentStore(folder: folder.path + "/full", files: failing)
        do {
            let file = try store.begin(limitBytes: 1000)
            try bytes.withUnsafeBytes { try file.write($0) }
            #expect(fileErrorCode { try bytes.withUnsafeBytes { try file.write($0) } } == .noSpace)
            #expect(fileErrorCode { try [1].withUnsafeBytes { try file.write($0) } } == .io)
            #expect(fileErrorCode { try file.commit() } == .io)
        }
        #expect(try DiskFiles().list(store.folder) == [], "its bytes are gone")
    }

    @Test("after a failed fsync the file can never be committed")
    func failedSynchronization() throws {
        let failing = FailingFiles { if case .synchronize = $0 { FileError(.io, "broken disk") } else { nil } }
        let store = try ContentStore(folder: folder.path + "/broken", files: failing)
        let file = try store.begin(limitBytes: 1000)
        try bytes.withUnsafeBytes { try file.write($0) }
        #expect(fileErrorCode { try file.commit() } == .io)
        failing.fail { _ in nil }
        #expect(fileErrorCode { try file.commit() } == .io, "the kernel may have dropped the bytes after the first try")
    }

    @Test("damage is noticed; the same bytes again heal it, in a file of their own")
    func heal() throws {
        try begin(bytes).commit()
        let damaged = Data("model bytEs".utf8)
        try damaged.write(to: URL(fileURLWithPath: store.path(of: digest)))
        let reader = try FileHandle(forReadingFrom: URL(fileURLWithPath: store.path(of: digest)))
        #expect(try !store.isWhole(digest, size: 11))
        #expect(try !store.isWhole(digest, size: 12))
        try begin(bytes).commit()
        #expect(try store.isWhole(digest, size: 11))
        #expect(try reader.readToEnd() == damaged, "no file changes under its reader")
        #expect(try names() == [digest.hex])
    }

    @Test("a removed file is gone, again and again")
    func remove() throws {
        try begin(bytes).commit()
        try store.remove([digest])
        try store.remove([digest])
        #expect(try store.digests() == [])
        #expect(try !store.isWhole(digest, size: 11))
    }

    @Test("files of others are no content")
    func strangers() throws {
        for name in ["readme", "incoming-", digest.hex + "x", String(digest.hex.dropLast())] {
            try Data([1]).write(to: URL(fileURLWithPath: store.folder + "/" + name))
        }
        #expect(try store.digests() == [])
    }

    @Test("sweeping deletes what a crash left, and nothing that is still written")
    func sweep() throws {
        let live = try begin(bytes)
        try Data(bytes).write(to: URL(fileURLWithPath: store.folder + "/incoming-3w5e11264sgs"))
        try store.sweepAbandoned()
        #expect(try names() == [FilePath.name(of: live.path)])
        #expect(try live.commit() == digest)
    }

    @Test("sweeping leaves what somebody else put there")
    func sweepStrangers() throws {
        let others = ["incoming-", "incoming-copy", "incoming-2027", "incoming-predictions", "incoming-1795356000000"]
        for name in others { try Data(bytes).write(to: URL(fileURLWithPath: store.folder + "/" + name)) }
        try store.sweepAbandoned()
        #expect(try names().sorted() == others.sorted())
    }

    @Test("sweeping spares what another process still writes, and deletes it when that process has died")
    func sweepOtherProcess() throws {
        let path = store.folder + "/incoming-03w5e11264sgs"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let other = try LockingProcess(path)
        try store.sweepAbandoned()
        #expect(try names() == [FilePath.name(of: path)])
        other.kill()
        try store.sweepAbandoned()
        #expect(try names() == [])
    }
}
