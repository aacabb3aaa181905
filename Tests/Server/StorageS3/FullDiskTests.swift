import Foundation
import Glibc
import HearthCrypto
import HearthFiles
import HearthStorage
import HearthTestSupport
import Testing

@testable import HearthStorageS3

@Suite("A cache whose disk has no space") struct FullDiskTests {
    private let store = StoreDouble()
    private let files = FailingFiles()

    private func server(diskReserveBytes: UInt64 = 0, memoryBytes: UInt64 = 1_000_000) throws -> ServerDouble {
        try ServerDouble(
            try store.client(), diskReserveBytes: diskReserveBytes, memoryBytes: memoryBytes, files: files)
    }

    private func blob(_ byte: UInt8, count: Int = 1000) -> (digest: SHA256Digest, bytes: [UInt8]) {
        let bytes = [UInt8](repeating: byte, count: count)
        let digest = SHA256Hasher.hash(bytes)
        store.set("blobs/\(digest.hex)", bytes)
        return (digest, bytes)
    }

    private var fetches: Int { store.calls.count { $0.method == "GET" } }

    private func isAtHand(_ digest: SHA256Digest, at server: ServerDouble) throws -> Bool {
        guard let blob = try server.blobs.openAtHand(digest) else { return false }
        close(blob.descriptor)
        return true
    }

    enum Shortage: CaseIterable, Sendable {
        case full, reserve, readOnly
    }

    private func begin(_ shortage: Shortage) {
        switch shortage {
        case .full: files.pretendFreeBytes(999)
        case .reserve: files.pretendFreeBytes(4999)
        case .readOnly:
            files.fail { step in
                guard case .createFile = step else { return nil }
                return FileError(.io, "The disk is read-only")
            }
        }
    }

    @Test("Blobs are served from memory, each fetched once, and nothing is written", arguments: Shortage.allCases)
    func served(shortage: Shortage) throws {
        let server = try server(diskReserveBytes: 4000)
        begin(shortage)
        let (digest, bytes) = blob(1)
        for _ in 0..<3 { #expect(try server.bytes(of: digest) == bytes) }
        #expect(fetches == 1)
        #expect(try isAtHand(digest, at: server))
        #expect(try server.files.isEmpty)
        // When there is space again, others go to the disk.
        files.pretendFreeBytes(nil)
        files.fail { _ in nil }
        let other = blob(2)
        #expect(try server.bytes(of: other.digest) == other.bytes)
        #expect(try server.files == [other.digest.hex])
        #expect(try server.bytes(of: digest) == bytes)
        #expect(try Set(server.files) == [digest.hex, other.digest.hex])
    }

    @Test("The last byte that fits is written to the disk")
    func justEnough() throws {
        let server = try server(diskReserveBytes: 4000)
        files.pretendFreeBytes(5000)
        let (digest, bytes) = blob(1)
        #expect(try server.bytes(of: digest) == bytes)
        #expect(try server.files == [digest.hex])
    }

    @Test("Memory has a limit. Copies that nobody reads give way, and those that are read do not")
    func limited() throws {
        let server = try server(memoryBytes: 2500)
        files.pretendFreeBytes(0)
        let (first, second, third) = (blob(1), blob(2), blob(3))
        let readers = try [first, second].map { try server.blobs.open($0.digest) }
        let copy = dup(readers[0].descriptor)
        #expect(code { _ = try server.blobs.open(third.digest) } == .noSpace)
        close(readers[0].descriptor)
        #expect(code { _ = try server.blobs.open(third.digest) } == .noSpace, "a duplicate still reads it")
        var read = [UInt8](repeating: 0, count: 1000)
        #expect(pread(copy, &read, 1000, 0) == 1000 && read == first.bytes)
        close(copy)
        #expect(try server.bytes(of: third.digest) == third.bytes)
        #expect(try !isAtHand(first.digest, at: server) && isAtHand(second.digest, at: server))
        close(readers[1].descriptor)
        let large = blob(4, count: 2501)
        #expect(code { _ = try server.blobs.open(large.digest) } == .noSpace)
    }

    @Test("Two readers of a copy have positions of their own, and cannot change it")
    func independentReaders() throws {
        let server = try server()
        files.pretendFreeBytes(0)
        let (digest, _) = blob(1)
        let (a, b) = (try server.blobs.open(digest), try server.blobs.open(digest))
        var byte: UInt8 = 0
        #expect(a.size == 1000 && Glibc.read(a.descriptor, &byte, 1) == 1 && byte == 1)
        #expect(lseek(a.descriptor, 0, SEEK_CUR) == 1 && lseek(b.descriptor, 0, SEEK_CUR) == 0)
        #expect(write(a.descriptor, &byte, 1) == -1)
        close(a.descriptor)
        close(b.descriptor)
    }

    @Test("Wrong bytes are not kept in memory either, and their memory is free again")
    func wrongBytes() throws {
        let server = try server(memoryBytes: 1000)
        files.pretendFreeBytes(0)
        let (digest, bytes) = blob(1)
        store.set("blobs/\(digest.hex)", [UInt8](repeating: 9, count: 1000))
        #expect(code { _ = try server.blobs.open(digest) } == .corrupt)
        #expect(try !isAtHand(digest, at: server))
        store.set("blobs/\(digest.hex)", bytes)
        #expect(try server.bytes(of: digest) == bytes)
    }

    @Test("A blob that is removed is not served from memory any more")
    func removed() throws {
        let server = try server()
        files.pretendFreeBytes(0)
        let (digest, _) = blob(1)
        let reader = try server.blobs.open(digest)
        try server.blobs.remove(digest)
        #expect(code { _ = try server.blobs.open(digest) } == .notFound)
        var read = [UInt8](repeating: 0, count: 1000)
        #expect(pread(reader.descriptor, &read, 1000, 0) == 1000)
        close(reader.descriptor)
    }

    @Test("Nobody who may not wait fetches a copy again that gave way")
    func gaveWay() throws {
        let server = try server(memoryBytes: 1000)
        files.pretendFreeBytes(0)
        let (first, second) = (blob(1), blob(2))
        _ = try server.bytes(of: first.digest)
        #expect(try isAtHand(first.digest, at: server))
        _ = try server.bytes(of: second.digest)
        #expect(try !isAtHand(first.digest, at: server))
        #expect(fetches == 2)
    }
}

/// The files in the folder are all that takes space.
@Suite("A cache on a disk that gets full") struct FillingDiskTests {
    private typealias Blob = (digest: SHA256Digest, bytes: [UInt8])

    private let store = StoreDouble()
    private let files = FailingFiles()

    private func server(diskReserveBytes: UInt64 = 1000) throws -> ServerDouble {
        try ServerDouble(try store.client(), diskReserveBytes: diskReserveBytes, files: files)
    }

    private func blob(_ byte: UInt8, count: Int = 1000) -> Blob {
        let bytes = [UInt8](repeating: byte, count: count)
        let digest = SHA256Hasher.hash(bytes)
        store.set("blobs/\(digest.hex)", bytes)
        return (digest, bytes)
    }

    private func names(_ blobs: [Blob]) -> [String] { blobs.map { $0.digest.hex }.sorted() }

    @Test("Files that nobody reads give way to new ones: the least recently used first, and before memory is used")
    func givingWay() throws {
        let server = try server()
        files.pretendDisk(ofBytes: 5000)
        let (first, second, third, fourth, fifth) = (blob(1), blob(2), blob(3), blob(4), blob(5))
        let reader = try server.blobs.open(second.digest)
        let duplicate = dup(reader.descriptor)
        close(reader.descriptor)
        for blob in [first, third, fourth, fifth] { #expect(try server.bytes(of: blob.digest) == blob.bytes) }
        #expect(try server.files == names([second, third, fourth, fifth]))
        let large = blob(6, count: 3000)
        #expect(try server.bytes(of: large.digest) == large.bytes)
        #expect(try server.files == names([second, large]))
        // So much cannot be had, so no file is lost for it.
        let larger = blob(7, count: 3500)
        #expect(try server.bytes(of: larger.digest) == larger.bytes)
        #expect(try server.files == names([second, large]))
        close(duplicate)
        let last = blob(8, count: 3500)
        #expect(try server.bytes(of: last.digest) == last.bytes)
        #expect(try server.files == names([last]))
    }

    @Test("They give way to uploads too, no more than an upload needs, and none if that is not enough")
    func uploads() throws {
        let server = try server()
        files.pretendDisk(ofBytes: 5000)
        let blobs = [blob(1), blob(2), blob(3)]
        for blob in blobs { _ = try server.bytes(of: blob.digest) }
        #expect(try server.blobs.freeBytes(wanted: 2000) == 2000)
        #expect(try server.files == names(blobs))
        #expect(try server.blobs.freeBytes(wanted: 2001) == 3000)
        #expect(try server.files == names([blobs[1], blobs[2]]))
        #expect(try server.blobs.freeBytes(wanted: 5001) == 3000)
        #expect(try server.files == names([blobs[1], blobs[2]]))
    }

    @Test("Files from before the start give way as well, and are fetched again when they are needed")
    func earlierFiles() throws {
        let folder = try TemporaryFolder()
        let (first, second) = (blob(1), blob(2))
        _ = try ServerDouble(store.client(), folder: folder).bytes(of: first.digest)
        let server = try ServerDouble(try store.client(), folder: folder, diskReserveBytes: 1000, files: files)
        files.pretendDisk(ofBytes: 2999)
        #expect(try server.bytes(of: second.digest) == second.bytes)
        #expect(try server.files == names([second]))
        #expect(try server.bytes(of: first.digest) == first.bytes)
        #expect(try server.files == names([first]))
    }

    @Test("Two files that arrive at once do not get the same space")
    func atOnce() throws {
        let folder = try TemporaryFolder()
        files.pretendDisk(ofBytes: 2500)
        let cache = try BlobCache(
            ContentStore(folder: folder.path, files: files), limitBytes: 1_000_000, reserveBytes: 1000,
            memoryBytes: 1_000_000)
        func arrive(
            _ blob: Blob, _ meanwhile: () throws(StorageError) -> Void = {}
        ) throws(StorageError) -> OpenBlob {
            try cache.open(blob.digest) { (arriving) throws(StorageError) in
                try arriving.begin(atMost: 1000)
                try meanwhile()
                try blob.bytes.withUnsafeBufferPointer { (bytes) throws(StorageError) in
                    try arriving.write(UnsafeRawBufferPointer(bytes))
                }
                try arriving.finish()
            }
        }
        let (first, second, third) = (blob(1), blob(2), blob(3))
        var inner: OpenBlob?
        let outer = try arrive(first) { () throws(StorageError) in inner = try arrive(second) }
        let opened = [outer, try #require(inner)]
        #expect(opened.map(\.size) == [1000, 1000])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == names([first]))
        for blob in opened { close(blob.descriptor) }
        // What was set aside is free again: for one that takes the first one's place.
        close(try arrive(third).descriptor)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == names([third]))
    }

    @Test("The space of a download that failed is free again")
    func failedDownload() throws {
        let server = try server()
        files.pretendDisk(ofBytes: 2000)
        let (digest, bytes) = blob(1)
        store.set("blobs/\(digest.hex)", [UInt8](repeating: 9, count: 1000))
        for _ in 0..<3 {
            #expect(code { _ = try server.blobs.open(digest) } == .corrupt)
            #expect(try server.files.isEmpty)
            // Otherwise it is not fetched again.
            store.wait(seconds: 61)
        }
        store.set("blobs/\(digest.hex)", bytes)
        #expect(try server.bytes(of: digest) == bytes)
        #expect(try server.files == names([(digest, bytes)]))
    }

    @Test("A file whose length nobody says ends where the disk reserve begins, and nothing of it stays")
    func unknownLength() throws {
        let server = try server(diskReserveBytes: 1 << 20)
        let (digest, bytes) = blob(1, count: 3 << 20)
        store.fail { _, _ in .otherBytes(bytes) }
        files.pretendDisk(ofBytes: (4 << 20) - 1)
        #expect(code { _ = try server.blobs.open(digest) } == .noSpace)
        #expect(try server.files.isEmpty)
        files.pretendDisk(ofBytes: 4 << 20)
        #expect(try server.bytes(of: digest) == bytes)
    }

    @Test("The bytes of an upload that arrived at another server are fetched only where they fit")
    func uploadFromElsewhere() throws {
        let other = try ServerDouble(store.client())
        try other.append([UInt8](repeating: 1, count: 1000), to: "u", from: 0)
        let server = try server()
        files.pretendDisk(ofBytes: 1999)
        #expect(code { _ = try server.blobs.resume("u", from: 1000, limitBytes: .max) } == .noSpace)
        #expect(try server.files.isEmpty)
        files.pretendDisk(ofBytes: 2000)
        #expect(try server.blobs.resume("u", from: 1000, limitBytes: .max)?.size == 1000)
    }
}
