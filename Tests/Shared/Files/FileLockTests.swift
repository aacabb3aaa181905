import Foundation
import Glibc
import HearthFiles
import HearthTestSupport
import Synchronization
import Testing

/// One test at a time: one of them looks for whoever waits for a lock in this process.
@Suite("Locks between processes", .serialized)
struct FileLockTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/lock" }

    init() throws { folder = try TemporaryFolder() }

    @Test("one holder at a time in one process too; released with the object")
    func inProcess() throws {
        do {
            let lock = try FileLock.acquire(path)
            #expect(try FileLock.tryAcquire(path) == nil)
            withExtendedLifetime(lock) {}
        }
        #expect(try FileLock.tryAcquire(path) != nil)
    }

    @Test("a link makes no file elsewhere")
    func link() throws {
        let elsewhere = folder.path + "/elsewhere"
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: elsewhere)
        #expect(throws: FileError.self) { try FileLock.acquire(path) }
        #expect(!FileManager.default.fileExists(atPath: elsewhere))
    }

    @Test("another process holds us off until it ends, killed or not", arguments: [true, false])
    func betweenProcesses(isKilled: Bool) throws {
        let other = try LockingProcess(path)
        #expect(try FileLock.tryAcquire(path) == nil)
        if isKilled { other.kill() } else { other.finish() }
        #expect(try FileLock.tryAcquire(path) != nil)
    }

    @Test("who waits gets it when the other process ends, and not before")
    func waiting() throws {
        let other = try LockingProcess(path)
        let path = path
        let acquired = Mutex<Result<FileLock, any Error>?>(nil)
        let thread = DispatchGroup()
        DispatchQueue.global().async(group: thread) {
            let result = Result { try FileLock.acquire(path) }
            acquired.withLock { $0 = result }
        }
        // An `acquire` that does not wait ends this as well.
        while try acquired.withLock({ $0 == nil }) && !Self.isSomebodyWaiting() { sched_yield() }
        #expect(acquired.withLock { $0 == nil })
        other.finish()
        thread.wait()
        #expect(throws: Never.self) { try acquired.withLock { try $0?.get() } }
    }

    @Test("who may wait no longer gets none; who may gets it when it is free")
    func asLongAs() throws {
        let other = try LockingProcess(path)
        var calls = 0
        let none = try FileLock.acquire(path) {
            calls += 1
            return calls < 3
        }
        #expect(none == nil)
        #expect(calls == 3)
        let lock = try FileLock.acquire(path) {
            other.finish()
            return true
        }
        #expect(lock != nil)
        #expect(try FileLock.tryAcquire(path) == nil)
        withExtendedLifetime(lock) {}
    }

    @Test("a lock file that is removed while somebody waits for it keeps nobody out afterwards")
    func removedFile() throws {
        var old: FileLock? = try FileLock.acquire(path)
        let lock = try FileLock.acquire(path) {
            try? FileManager.default.removeItem(atPath: path)
            old = nil
            return true
        }
        #expect(old == nil)
        #expect(try FileLock.tryAcquire(path) == nil)
        withExtendedLifetime(lock) {}
    }

    @Test("many threads count in a file without losing one")
    func counting() throws {
        let path = path
        let counter = try folder.write("0".utf8, to: "counter")
        DispatchQueue.concurrentPerform(iterations: 64) { _ in
            #expect(throws: Never.self) {
                let lock = try FileLock.acquire(path)
                let count = try #require(Int(try String(contentsOfFile: counter, encoding: .utf8)))
                try Data("\(count + 1)".utf8).write(to: URL(fileURLWithPath: counter))
                withExtendedLifetime(lock) {}
            }
        }
        #expect(try String(contentsOfFile: counter, encoding: .utf8) == "64")
    }

    @Test("a lock file that cannot be made is an error")
    func errors() throws {
        #expect(fileErrorCode { _ = try FileLock.acquire(folder.path + "/none/lock") } == .notFound)
        #expect(fileErrorCode { _ = try FileLock.tryAcquire(folder.path) } == .io)
    }

    /// Whether a thread of this process waits for a lock: the kernel lists those with an arrow.
    private static func isSomebodyWaiting() throws -> Bool {
        try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n")
            .contains { $0.contains(" -> FLOCK ") && $0.contains(" \(getpid()) ") }
    }
}

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
