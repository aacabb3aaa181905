import Synchronization

/// A switch that stops a transfer from any thread. Once thrown it stays thrown.
public final class TransportCancellation: Sendable {
    private let flag = Atomic(false)

    public init() {}

    public var isCancelled: Bool { flag.load(ordering: .acquiring) }

    /// A transfer under way ends with `cancelled` within about a second; one that has not begun never begins.
    public func cancel() {
        flag.store(true, ordering: .releasing)
    }
}
