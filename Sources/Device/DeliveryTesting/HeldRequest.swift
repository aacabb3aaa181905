import Dispatch
import HearthConcurrency
import HearthTransport

/// A request that a ``ModelHost`` holds until the test lets it go: for tests of progress, of cancelling, and of callers that
/// join a transfer, without sleeping. Use it from any thread.
///
/// When the last reference to it goes, the request goes on as well, so that no thread is left waiting.
public final class HeldRequest: Sendable {
    private let barrier: RequestBarrier

    init(barrier: RequestBarrier) { self.barrier = barrier }

    deinit { barrier.open() }

    /// Returns once the request has come to the point where it is held, or when the task is cancelled.
    public func waitUntilReached() async { for await _ in barrier.reached {} }

    /// Lets the request go on, now or when it comes.
    public func release() { barrier.open() }
}

/// Where the thread of a held request waits.
final class RequestBarrier: Sendable {
    /// How many bytes of the body pass before; 0: nothing of the answer is decided yet.
    let afterBytes: Int
    /// Ends when the request has come.
    let reached: AsyncStream<Never>
    private let arrival: AsyncStream<Never>.Continuation
    private let semaphore = DispatchSemaphore(value: 0)

    init(afterBytes: Int) {
        self.afterBytes = max(0, afterBytes)
        (reached, arrival) = AsyncStream.makeStream()
    }

    /// Blocks until the gate is open or the transfer is cancelled.
    func forward(_ cancellation: Cancellation?) {
        arrival.finish()
        (cancellation ?? Cancellation()).wait(for: semaphore, seconds: .infinity)
    }

    /// At any time and any number of times: one request passes the gate, once.
    func open() { semaphore.signal() }
}
