/// Devices that never take part, by a bit of their hash: those that were seen and not watched. Devices may share a bit. Then
/// one keeps the other out, in both arms alike.
struct SeenDevices: Sendable, Hashable {
    /// Empty as long as there is none.
    private var words: [UInt64] = []

    private static let count = 1 << 14

    mutating func insert(_ id: UInt64) {
        if words.isEmpty { words = Array(repeating: 0, count: Self.count) }
        words[Int(id >> 6) % Self.count] |= 1 << (id & 63)
    }

    func contains(_ id: UInt64) -> Bool {
        !words.isEmpty && words[Int(id >> 6) % Self.count] & (1 << (id & 63)) != 0
    }

    /// The stored form; empty if no device was seen.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(words.count * 8)
        for word in words { bytes.append(word) }
        return bytes
    }

    init() {}

    /// Nil if the stored form is damaged.
    init?(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        guard bytes.count == Self.count * 8 else { return nil }
        words = (0..<Self.count).map { bytes.number($0 * 8) }
    }
}
