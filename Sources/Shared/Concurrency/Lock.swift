package import Synchronization

/// Guards a value: one thread at a time reads or changes it. It is the only lock of Hearth's modules, so that only its
/// body must change for systems without `Mutex`.
///
/// Not recursive: taking it again on the thread that holds it ends the process or waits forever.
package struct Lock<Value: ~Copyable>: ~Copyable, Sendable {
    @usableFromInline let mutex: Mutex<Value>

    /// Guards `value` from now on.
    @inlinable
    package init(_ value: consuming sending Value) { mutex = Mutex(value) }

    /// Runs `body` with the value while no other thread can. Blocks until the lock is free.
    @inlinable
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock(body)
    }

    /// Runs `body` as ``withLock(_:)`` does, but does not wait: nil when another thread holds the lock.
    @inlinable
    package borrowing func withLockIfAvailable<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
        try mutex.withLockIfAvailable(body)
    }
}
