/// SipHash-1-3: a fast 64-bit hash under a secret key. Who does not know the key cannot choose values whose hashes are
/// equal or small. It is no signature; for tags use ``HMACSHA256``.
package struct SipHash: Sendable {
    package static let keyByteCount = 16

    private let key: (UInt64, UInt64)

    /// - Parameter key: the first 16 bytes count; missing ones are zero.
    package init(key: [UInt8]) {
        let bytes = Array(key.prefix(Self.keyByteCount)) + Array(repeating: 0, count: Self.keyByteCount)
        func word(_ start: Int) -> UInt64 { (0..<8).reduce(0) { $0 | UInt64(bytes[start + $1]) << UInt64(8 * $1) } }
        self.key = (word(0), word(8))
    }

    /// The hash of a number followed by a text.
    package func hash(_ number: UInt64, _ text: String) -> UInt64 {
        var text = text
        return text.withUTF8 { hash(number, UnsafeRawBufferPointer($0)) }
    }

    /// The hash of a number followed by bytes, which are only read during the call.
    package func hash(_ number: UInt64, _ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var state = State(key)
        state.add(number)
        var index = 0
        while index + 8 <= bytes.count {
            state.add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
            index += 8
        }
        // The last word has the length in its highest byte.
        var last = UInt64(truncatingIfNeeded: bytes.count + 8) << 56
        var shift: UInt64 = 0
        while index < bytes.count {
            last |= UInt64(bytes[index]) << shift
            shift += 8
            index += 1
        }
        state.add(last)
        return state.finish()
    }

    private struct State {
        private var v0: UInt64
        private var v1: UInt64
        private var v2: UInt64
        private var v3: UInt64

        init(_ key: (UInt64, UInt64)) {
            v0 = key.0 ^ 0x736f_6d65_7073_6575
            v1 = key.1 ^ 0x646f_7261_6e64_6f6d
            v2 = key.0 ^ 0x6c79_6765_6e65_7261
            v3 = key.1 ^ 0x7465_6462_7974_6573
        }

        mutating func add(_ word: UInt64) {
            v3 ^= word
            round()
            v0 ^= word
        }

        mutating func finish() -> UInt64 {
            v2 ^= 0xff
            for _ in 0..<3 { round() }
            return v0 ^ v1 ^ v2 ^ v3
        }

        private mutating func round() {
            v0 &+= v1
            v1 = Self.rotated(v1, 13) ^ v0
            v0 = Self.rotated(v0, 32)
            v2 &+= v3
            v3 = Self.rotated(v3, 16) ^ v2
            v0 &+= v3
            v3 = Self.rotated(v3, 21) ^ v0
            v2 &+= v1
            v1 = Self.rotated(v1, 17) ^ v2
            v2 = Self.rotated(v2, 32)
        }

        private static func rotated(_ word: UInt64, _ bits: UInt64) -> UInt64 { word << bits | word >> (64 - bits) }
    }
}
