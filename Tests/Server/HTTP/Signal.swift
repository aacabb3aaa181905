import Dispatch

/// A counting signal; waiting gives up after a minute so that a broken server fails a test and does not hang it.
final class Signal: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func send() { semaphore.signal() }

    func wait() -> Bool { semaphore.wait(timeout: .now() + 60) == .success }
}
