import Dispatch
import HearthConcurrency
import HearthTransport

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
