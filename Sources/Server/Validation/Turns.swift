import Dispatch

/// At most `count` holders at once; the others wait.
final class Turns: Sendable {
    private let semaphore: DispatchSemaphore

    init(count: Int) { semaphore = DispatchSemaphore(value: max(1, count)) }

    func take() { semaphore.wait() }

    func giveBack() { semaphore.signal() }
}
