/// A request that a ``ModelHost`` holds until the test lets it go: for tests of progress, of cancelling, and of callers that
/// join a transfer, without sleeping. Use it from any thread.
///
/// When the last reference to it goes, the request goes on as well, so that no thread is left waiting.
public final class HeldRequest: Sendable {
    private let gate: RequestGate

    init(gate: RequestGate) { self.gate = gate }

    deinit { gate.open() }

    /// Returns once the request has come to the point where it is held, or when the task is cancelled.
    public func waitUntilReached() async { for await _ in gate.reached {} }

    /// Lets the request go on, now or when it comes.
    public func release() { gate.open() }
}
