import HearthConcurrency

/// Finds calls that say what the same device said in the same ten minutes. Safe to use from any thread.
///
/// A table of fixed size: a call that was forgotten counts as new. So what it drops is a repetition, and what it lets
/// through may be one. It costs less than the watch that a repetition would reach.
final class RepeatedCalls: Sendable {
    private final class Stripe: Sendable {
        /// By a part of the hash: the other part of it, and the number of the ten minutes. Empty before the first call.
        let slots = Lock<[UInt64]>([])
    }

    private static let stripeBits: UInt64 = 6
    private static let slotBits: UInt64 = 12
    private static let intervalSeconds: Int64 = 600

    private let stripes = (0..<1 << RepeatedCalls.stripeBits).map { _ in Stripe() }

    /// - Parameter hash: of the device and what it says; evenly distributed.
    func isNew(_ hash: UInt64, atSeconds now: Int64) -> Bool {
        let stripe = stripes[Int(hash & (1 << Self.stripeBits - 1))]
        let slot = Int(hash >> Self.stripeBits & (1 << Self.slotBits - 1))
        let interval = UInt64(bitPattern: now / Self.intervalSeconds) & 0xFFFF
        // The bits of the place need not be stored.
        let entry = hash & ~0xFFFF | interval
        return stripe.slots.withLock { slots in
            if slots.isEmpty { slots = Array(repeating: .max, count: 1 << Self.slotBits) }
            guard slots[slot] != entry else { return false }
            slots[slot] = entry
            return true
        }
    }
}
