import Foundation
import Glibc
import HearthCrypto
import HearthFiles
import HearthTestSupport
import Testing

@Suite("Leases on files in use")
struct FileLeaseTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = try folder.write([1, 2, 3], to: "file")
    }

    @Test("several at once; the file is removed when none is left")
    func shared() throws {
        do {
            let first = try #require(try FileLease.take(path))
            do {
                let second = try #require(try FileLease.take(path))
                #expect(try !FileLease.removeIfUnused(path))
                withExtendedLifetime(second) {}
            }
            #expect(FileLease.isInUse(path))
            #expect(try !FileLease.removeIfUnused(path))
            #expect(first.isInPlace)
            #expect(first.path == path)
        }
        #expect(!FileLease.isInUse(path))
        #expect(try FileLease.removeIfUnused(path))
        #expect(try !FileLease.removeIfUnused(path))
    }

    @Test("another process holds us off until it dies")
    func betweenProcesses() throws {
        let other = try LockingProcess(path)
        #expect(try !FileLease.removeIfUnused(path))
        #expect(FileLease.isInUse(path))
        other.kill()
        #expect(try FileLease.removeIfUnused(path))
    }

    @Test("a file that is still written is in use")
    func written() throws {
        let file = try #require(try DiskFiles().appendFile(path, mode: 0o600))
        #expect(try !FileLease.removeIfUnused(path))
        withExtendedLifetime(file) {}
    }

    @Test("the leased file's bytes and stamp, whatever lies at the path by then")
    func replaced() throws {
        let lease = try #require(try FileLease.take(path))
        try DiskFiles().rename(try folder.write([9], to: "other"), to: path)
        #expect(!lease.isInPlace)
        #expect(lease.stamp?.size == 3)
        #expect(try lease.sha256() == SHA256Hasher.hash([1, 2, 3]))
        #expect(try FileLease.removeIfUnused(path), "the lease is on the file that was there before")
    }

    @Test("only regular files are leased; links are not followed, and a pipe does not make anybody wait")
    func strangeFiles() throws {
        let link = folder.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
        for strange in [link, folder.path + "/pipe", folder.path, folder.path + "/none", path + "/below"] {
            #expect(try FileLease.take(strange) == nil, "\(strange)")
        }
        #expect(try FileLease.removeIfUnused(link))
        #expect(try DiskFiles().size(path) == 3)
        #expect(fileErrorCode { _ = try FileLease.removeIfUnused(folder.path) } == .io)
        #expect(!FileLease.isInUse(folder.path + "/none"))
    }

    @Test("takers and removers at once: whoever gets a lease has the file in place", .limitedTime)
    func race() throws {
        let path = path
        DispatchQueue.concurrentPerform(iterations: 4000) { number in
            #expect(throws: Never.self) {
                switch number % 4 {
                case 0: _ = try FileLease.removeIfUnused(path)
                case 1: _ = try? DiskFiles().createFile(path, mode: 0o600)
                default:
                    guard let lease = try FileLease.take(path) else { return }
                    for _ in 0..<20 { #expect(lease.isInPlace) }
                    withExtendedLifetime(lease) {}
                }
            }
        }
    }
}
