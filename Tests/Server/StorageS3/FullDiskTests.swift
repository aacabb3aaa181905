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
        #expect(server.blobs.isAtHand(digest))
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
        #expect(!server.blobs.isAtHand(first.digest) && server.blobs.isAtHand(second.digest))
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
        #expect(!server.blobs.isAtHand(digest))
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
}
