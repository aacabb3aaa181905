import Glibc
import HearthFiles
import HearthTestSupport
import Testing

/// A child process has copies of all descriptors until it runs its own program, and so of all locks.
@Suite("Locks while a child process begins")
struct InheritedLockTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/file" }

    init() throws { folder = try TemporaryFolder() }

    /// Copies of the descriptors of the file, as a child would have them.
    private func inherited() -> [Int32] {
        (0..<1024).filter { descriptor in
            var link = [CChar](repeating: 0, count: 4096)
            let count = readlink("/proc/self/fd/\(descriptor)", &link, link.count)
            return count > 0 && link.prefix(count).map(UInt8.init(bitPattern:)) == Array(path.utf8)
        }.map { dup($0) }
    }

    @Test("a lock that is given up is free")
    func lock() throws {
        var copies: [Int32] = []
        do {
            let lock = try FileLock.acquire(path)
            copies = inherited()
            #expect(try FileLock.tryAcquire(path) == nil)
            withExtendedLifetime(lock) {}
        }
        #expect(copies.count == 1)
        #expect(try FileLock.tryAcquire(path) != nil)
        copies.forEach { close($0) }
    }

    @Test("a file that nobody uses any more can be removed")
    func lease() throws {
        try DiskFiles().createFile(path, mode: 0o600).synchronize()
        var copies: [Int32] = []
        do {
            let lease = try FileLease.take(path)
            copies = inherited()
            #expect(FileLease.isInUse(path))
            withExtendedLifetime(lease) {}
        }
        #expect(copies.count == 1)
        #expect(!FileLease.isInUse(path))
        #expect(try FileLease.removeIfUnused(path))
        copies.forEach { close($0) }
    }

    @Test("a file that nobody writes any more is free to be written")
    func writing() throws {
        var copies: [Int32] = []
        do {
            let file = try DiskFiles().createFile(path, mode: 0o600)
            copies = inherited()
            #expect(try DiskFiles().appendFile(path, mode: 0o600) == nil)
            withExtendedLifetime(file) {}
        }
        #expect(copies.count == 1)
        #expect(try DiskFiles().appendFile(path, mode: 0o600) != nil)
        copies.forEach { close($0) }
    }
}
