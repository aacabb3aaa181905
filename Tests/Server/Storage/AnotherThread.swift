import Foundation
import Synchronization

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
