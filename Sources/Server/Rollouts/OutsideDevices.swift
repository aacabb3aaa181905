/// What is remembered about devices outside of the sample: enough to put them into the right class when the version
/// reaches them.
struct OutsideDevices: Sendable, Hashable {
    /// A bit per device, by its hash, first for calls and then for reports. Devices may share a bit: then one counts as
    /// seen before its first trial, in either arm alike. Empty as long as there is none: most fleets fit into the sample.
    private var seen: [UInt64] = []
    private var failures: [UInt64: UInt8] = [:]

    private static let words = 1 << 14
    private static let failureLimit = 16_384

    mutating func called(_ id: UInt64) { mark(id, 0) }

    mutating func reported(_ id: UInt64, _ failed: UInt8) {
        mark(id, Self.words)
        fail(id, failed)
    }

    mutating func add(_ id: UInt64, _ device: RolloutWatch.Device) {
        if device.hasCalled { mark(id, 0) }
        if device.hasReported { mark(id, Self.words) }
        fail(id, device.failed)
    }

    func hasCalled(_ id: UInt64) -> Bool { isMarked(id, 0) }
    func hasReported(_ id: UInt64) -> Bool { isMarked(id, Self.words) }
    func failed(_ id: UInt64) -> UInt8 { failures[id] ?? 0 }

    private mutating func fail(_ id: UInt64, _ failed: UInt8) {
        guard failed != 0, failures[id] != nil || failures.count < Self.failureLimit else { return }
        failures[id, default: 0] |= failed
    }

    private mutating func mark(_ id: UInt64, _ start: Int) {
        if seen.isEmpty { seen = Array(repeating: 0, count: 2 * Self.words) }
        seen[start + Int(id >> 6) % Self.words] |= 1 << (id & 63)
    }

    private func isMarked(_ id: UInt64, _ start: Int) -> Bool {
        !seen.isEmpty && seen[start + Int(id >> 6) % Self.words] & (1 << (id & 63)) != 0
    }

    /// The stored form; empty if no device was seen.
    var bytes: [UInt8] {
        guard !seen.isEmpty else { return [] }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(seen.count * 8 + failures.count * 9)
        for word in seen { RolloutWatch.append(word, to: &bytes) }
        for (id, failed) in failures.sorted(by: { $0.key < $1.key }) {
            RolloutWatch.append(id, to: &bytes)
            bytes.append(failed)
        }
        return bytes
    }

    init() {}

    /// Nil if the stored form is damaged.
    init?(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        seen = Array(repeating: 0, count: 2 * Self.words)
        let start = seen.count * 8
        guard bytes.count >= start, (bytes.count - start) % 9 == 0, (bytes.count - start) / 9 <= Self.failureLimit
        else {
            return nil
        }
        for index in seen.indices { seen[index] = RolloutWatch.number(bytes, index * 8) }
        for place in stride(from: start, to: bytes.count, by: 9) {
            failures[RolloutWatch.number(bytes, place)] = bytes[place + 8]
        }
    }
}
