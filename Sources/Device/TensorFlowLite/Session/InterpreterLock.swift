import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Lets one thread in at a time. A second thread is turned away, not kept waiting: it would find another thread's
/// numbers in the tensors anyway, and may be one that must never block.
///
/// A thread that is in may come in again, as a closure does that was lent a tensor's memory and calls the interpreter;
/// but not from a log handler, which is called in the middle of things.
final class InterpreterLock: Sendable {
    /// The thread that is in; 0 when none is.
    private let owner = Atomic<UInt>(0)

    /// - Returns: Whether the caller was the first of its thread to come in, and so is the one to leave.
    func tryLock() throws(InterpreterError) -> Bool {
        let thread = UInt(bitPattern: Self.thread)
        let (isExchanged, current) = owner.compareExchange(expected: 0, desired: thread, ordering: .acquiring)
        if isExchanged { return true }
        if current == thread, !LogHandlerCall.isUnderWay { return false }
        throw Self.inUse
    }

    /// Comes in for a run in the background, which no thread has yet.
    func lockForBackgroundRun() throws(InterpreterError) {
        let (isExchanged, _) = owner.compareExchange(
            expected: 0, desired: Self.runInBackground, ordering: .acquiringAndReleasing)
        if !isExchanged { throw Self.inUse }
    }

    /// Makes the calling thread the one that is in for such a run.
    func transferToCurrentThread() {
        _ = owner.exchange(UInt(bitPattern: Self.thread), ordering: .acquiringAndReleasing)
    }

    func unlock() {
        owner.store(0, ordering: .releasing)
    }

    /// Runs `body` with the gate held.
    @inline(__always)
    func withLock<Result>(_ body: () throws -> Result) throws -> Result {
        let isOutermost = try tryLock()
        defer { if isOutermost { unlock() } }
        return try body()
    }

    /// No thread has this number, an odd address.
    private static let runInBackground: UInt = 1

    private static let inUse = InterpreterError.tensorFlowLiteError(
        "The interpreter is in use by another thread or an unfinished run; wait for it, or make one for each thread.")

    #if canImport(Glibc)
        private static var thread: Int { Int(bitPattern: pthread_self()) }
    #else
        private static var thread: Int { Int(bitPattern: Unmanaged.passUnretained(pthread_self()).toOpaque()) }
    #endif
}
