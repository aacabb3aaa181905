internal import Synchronization

/// A number that only grows. Any thread may add; nobody waits.
final class Counter: Sendable {
    private let count = Atomic<UInt64>(0)

    var value: UInt64 { count.load(ordering: .relaxed) }

    func add(_ amount: UInt64 = 1) { count.wrappingAdd(amount, ordering: .relaxed) }
}
