/// A request that a ``ModelHost`` holds until the test releases it: for tests of progress, of cancelling, and of
/// callers that join a download, without sleeping. Use it from any thread.
///
/// When the last reference to this object is released, the request continues too, so that no thread keeps waiting.
public final class HeldRequest: Sendable {
    private let barrier: RequestBarrier

    init(barrier: RequestBarrier) { self.barrier = barrier }

    deinit { barrier.open() }

    /// Returns when the request has reached the point where it is held, or when the task is cancelled.
    public func waitUntilReached() async { for await _ in barrier.reached {} }

    /// Lets the request continue, now or when it arrives.
    public func release() { barrier.open() }
}
