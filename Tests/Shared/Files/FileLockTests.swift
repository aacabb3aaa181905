import Foundation
import HearthFiles
import HearthTestSupport
import Testing

@Suite("Locks between processes")
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

    @Test("another process holds us off until it ends, killed or not", arguments: [true, false])
    func betweenProcesses(isKilled: Bool) throws {
        let other = try LockingProcess(path)
        #expect(try FileLock.tryAcquire(path) == nil)
        if isKilled { other.kill() } else { other.finish() }
        #expect(try FileLock.tryAcquire(path) != nil)
    }

    @Test("who waits gets it when the other process ends")
    func waiting() async throws {
        let other = try LockingProcess(path)
        let path = path
        async let lock = Self.onThread { try FileLock.acquire(path) }
        other.finish()
        _ = try await lock
    }

    @Test("many threads count without losing one")
    func counting() throws {
        let path = path
        // Touched only by whoever holds the lock under test, which is what the test is about.
        nonisolated(unsafe) var count = 0
        DispatchQueue.concurrentPerform(iterations: 64) { _ in
            let lock = try? FileLock.acquire(path)
            count += 1
            withExtendedLifetime(lock) {}
        }
        #expect(count == 64)
    }

    @Test("a lock file that cannot be made is an error")
    func errors() throws {
        #expect(fileErrorCode { _ = try FileLock.acquire(folder.path + "/none/lock") } == .notFound)
        #expect(fileErrorCode { _ = try FileLock.tryAcquire(folder.path) } == .io)
    }

    private static func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value
    {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
        }
    }
}
