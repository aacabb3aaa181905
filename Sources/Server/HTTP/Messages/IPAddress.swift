internal import Glibc

/// A numeric IP address as 128 bits. An IPv4 address is stored as its IPv4-mapped IPv6 address.
struct IPAddress: Hashable, Sendable {
    let high: UInt64
    let low: UInt64

    /// `nil` if `text` is not a numeric address. Wraps `inet_pton`.
    init?(_ text: some StringProtocol) {
        let text = String(text)
        // The bytes of the address, the most significant one first.
        var bytes: (UInt64, UInt64) = (0, 0)
        if inet_pton(AF_INET, text, &bytes) == 1 {
            self.init(ipv4: UInt32(UInt64(bigEndian: bytes.0) >> 32))
        } else if inet_pton(AF_INET6, text, &bytes) == 1 {
            self.init(high: UInt64(bigEndian: bytes.0), low: UInt64(bigEndian: bytes.1))
        } else {
            return nil
        }
    }

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    init(ipv4 address: UInt32) { self.init(high: 0, low: 0xFFFF_0000_0000 | UInt64(address)) }

    var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }

    /// 127.0.0.0/8 or ::1.
    var isLoopback: Bool { isIPv4 ? low >> 24 & 0xFF == 127 : high == 0 && low == 1 }

    /// The part of the address that counts as one peer: all of an IPv4 address, and the first 64 bits of an IPv6
    /// address, because peers choose the rest themselves.
    var network: IPAddress { isIPv4 ? self : prefix(64) }

    /// The first `count` bits; the others are 0.
    func prefix(_ count: Int) -> IPAddress {
        // A shift by all 64 bits gives 0 with Swift's smart shifts.
        IPAddress(high: high & ~(UInt64.max >> min(count, 64)), low: low & ~(UInt64.max >> max(count - 64, 0)))
    }

    /// In the form of `inet_ntop`; an IPv4 address in its own form.
    var text: String {
        let words = [high.bigEndian, low.bigEndian]
        return words.withUnsafeBytes { bytes in
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
                let address = isIPv4 ? bytes.baseAddress! + 12 : bytes.baseAddress!
                let family = isIPv4 ? AF_INET : AF_INET6
                return inet_ntop(family, address, buffer.baseAddress, socklen_t(buffer.count))
                    .map { String(cString: $0) } ?? ""
            }
        }
    }
}
