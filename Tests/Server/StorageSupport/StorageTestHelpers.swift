import Foundation
import Glibc
import HearthStorage
import Synchronization

/// The refusal by a store; nil where it does the work, or fails with another error.
func failure(_ body: () throws -> Void) -> StorageError? {
    do {
        try body()
        return nil
    } catch {
        return error as? StorageError
    }
}

/// Why a store refuses the work; nil where it does it, or fails with another error.
func code(_ body: () throws -> Void) -> StorageError.Code? { failure(body)?.code }

/// Waits for a condition that another thread or process brings about, for at most 20 seconds.
func waitUntil(_ what: String, _ condition: () throws -> Bool) throws {
    struct NotReached: Error { let condition: String }
    let deadline = ContinuousClock.now + .seconds(20)
    while try !condition() {
        guard ContinuousClock.now < deadline else { throw NotReached(condition: what) }
        usleep(5000)
    }
}

/// Runs `body` on a thread of its own and waits for it: what another request of the server would see.
func onAnotherThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) throws -> Value {
    let outcome = ThreadOutcome<Value>()
    Thread { outcome.fill(with: Result { try body() }) }.start()
    return try outcome.wait()
}

private final class ThreadOutcome<Value: Sendable>: Sendable {
    private struct Missing: Error {}

    private let result = Mutex<Result<Value, any Error>>(.failure(Missing()))
    private let done = DispatchSemaphore(value: 0)

    func fill(with value: Result<Value, any Error>) {
        result.withLock { $0 = value }
        done.signal()
    }

    func wait() throws -> Value {
        done.wait()
        return try result.withLock { $0 }.get()
    }
}

/// Limits of this process. Only for a process that a test started for itself.
enum ResourceLimit {
    /// Makes every file of more than `bytes` fail to grow, as on a full disk.
    static func fileSize(bytes: UInt) {
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
        precondition(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
    }

    /// Runs `body` while the process has as many files open as it may.
    static func withAllFilesOpen(_ body: () throws -> Void) rethrows {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = min(limit.rlim_cur, 256)
        precondition(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        let more = sequence(first: open("/dev/null", O_RDONLY)) { $0 < 0 ? nil : dup($0) }.filter { $0 >= 0 }
        defer { more.forEach { close($0) } }
        try body()
    }
}
