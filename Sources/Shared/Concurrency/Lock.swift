public import Synchronization

/// Guards a value: one thread at a time reads or changes it. It is the only lock of Hearth's modules, so that only its
/// body must change for systems without `Mutex`.
///
/// Public, although no product exports it: the compiler inlines only public functions into other modules. Otherwise each
/// call looks up the generic type's metadata, which takes longer than the lock itself.
///
/// Not recursive: taking it again on the thread that holds it ends the process or waits forever.
public struct Lock<Value: ~Copyable>: ~Copyable, Sendable {
    @usableFromInline let mutex: Mutex<Value>

    /// Guards `value` from now on.
    @inlinable
    public init(_ value: consuming sending Value) { mutex = Mutex(value) }

    /// Runs `body` with the value while no other thread can. Blocks until the lock is free.
    @inlinable
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock(body)
    }

    /// Runs `body` as ``withLock(_:)`` does, but does not wait: nil when another thread holds the lock.
    @inlinable
    public borrowing func withLockIfAvailable<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
        try mutex.withLockIfAvailable(body)
    }
}
