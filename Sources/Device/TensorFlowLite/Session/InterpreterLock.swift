import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Admits one thread at a time. It refuses a second thread instead of letting it wait: that thread would find another
/// thread's numbers in the tensors, and it may be one that must never block.
///
/// The thread that holds the lock may enter again, for example from a closure that was lent a tensor's memory and calls
/// the interpreter. It may not enter from a log handler, which runs in the middle of a call.
final class InterpreterLock: Sendable {
    /// The thread that holds the lock; 0 for none.
    private let owner = Atomic<UInt>(0)

    /// - Returns: Whether this is the thread's outermost entry, which must unlock.
    func tryLock() throws(InterpreterError) -> Bool {
        let thread = UInt(bitPattern: Self.thread)
        let (isExchanged, current) = owner.compareExchange(expected: 0, desired: thread, ordering: .acquiring)
        if isExchanged { return true }
        if current == thread, !LogHandlerCall.isUnderWay { return false }
        throw Self.inUse
    }

    /// Takes the lock for a run in the background, before a thread has started it.
    func lockForBackgroundRun() throws(InterpreterError) {
        let (isExchanged, _) = owner.compareExchange(
            expected: 0, desired: Self.runInBackground, ordering: .acquiringAndReleasing)
        if !isExchanged { throw Self.inUse }
    }

    /// Makes the calling thread the owner of the lock for such a run.
    func transferToCurrentThread() {
        _ = owner.exchange(UInt(bitPattern: Self.thread), ordering: .acquiringAndReleasing)
    }

    func unlock() {
        owner.store(0, ordering: .releasing)
    }

    /// Runs `body` with the lock held.
    @inline(__always)
    func withLock<Result>(_ body: () throws -> Result) throws -> Result {
        let isOutermost = try tryLock()
        defer { if isOutermost { unlock() } }
        return try body()
    }

    /// An odd address, so no thread has this number.
    private static let runInBackground: UInt = 1

    private static let inUse = InterpreterError.tensorFlowLiteError(
        "The interpreter is in use by another thread or an unfinished run; wait for it, or make one for each thread.")

    #if canImport(Glibc)
        private static var thread: Int { Int(bitPattern: pthread_self()) }
    #else
        private static var thread: Int { Int(bitPattern: Unmanaged.passUnretained(pthread_self()).toOpaque()) }
    #endif
}
