import Dispatch
import HearthConcurrency
import HearthTransport

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

/// The point at which the thread of a held request waits.
final class RequestBarrier: Sendable {
    /// How many bytes of the body pass before the request is held. With 0, the host has not decided about the answer
    /// yet.
    let afterBytes: Int
    /// Ends when the request has arrived.
    let reached: AsyncStream<Never>
    private let arrival: AsyncStream<Never>.Continuation
    private let semaphore = DispatchSemaphore(value: 0)

    init(afterBytes: Int) {
        self.afterBytes = max(0, afterBytes)
        (reached, arrival) = AsyncStream.makeStream()
    }

    /// Blocks until `open` is called or the transfer is cancelled.
    func forward(_ cancellation: Cancellation?) {
        arrival.finish()
        (cancellation ?? Cancellation()).wait(for: semaphore, seconds: .infinity)
    }

    /// Lets one request pass, once. Call it at any time and any number of times.
    func open() { semaphore.signal() }
}
