import Dispatch
import HearthTransport

/// Where the thread of a held request waits.
final class RequestGate: Sendable {
    /// How long a cancellation may go unnoticed.
    private static let glanceMilliseconds = 5

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
    func pass(_ cancellation: TransportCancellation?) {
        arrival.finish()
        while cancellation?.isCancelled != true {
            guard semaphore.wait(timeout: .now() + .milliseconds(Self.glanceMilliseconds)) == .timedOut else { return }
        }
    }

    /// At any time and any number of times: one request passes the gate, once.
    func open() { semaphore.signal() }
}
