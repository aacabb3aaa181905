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

/// A list of IP addresses and CIDR ranges, such as `127.0.0.1, 10.0.0.0/8, fd00::/8`.
package struct AddressRanges: Sendable, Hashable, CustomStringConvertible {
    private struct Range: Sendable, Hashable {
        let network: IPAddress
        let bits: Int
        let text: String
    }

    private var ranges: [Range] = []

    /// No addresses.
    package init() {}

    /// Parses addresses and ranges separated by commas or blanks; `nil` if one of them is neither.
    ///
    /// An IPv4 range also contains the IPv6 addresses that map to its addresses. Bits after a range's prefix are
    /// ignored.
    package init?(_ text: String) {
        for item in text.split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }) {
            guard let range = Self.range(item) else { return nil }
            ranges.append(range)
        }
    }

    package var isEmpty: Bool { ranges.isEmpty }

    /// Whether the numeric address `text` is in one of the ranges; `false` for text that is not an address.
    package func contains(_ text: String) -> Bool {
        guard !ranges.isEmpty, let address = IPAddress(text) else { return false }
        return contains(address)
    }

    func contains(_ address: IPAddress) -> Bool {
        ranges.contains { address.prefix($0.bits) == $0.network }
    }

    /// The text that was parsed, separated by commas.
    package var description: String { ranges.map(\.text).joined(separator: ",") }

    private static func range(_ text: Substring) -> Range? {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = IPAddress(parts[0]) else { return nil }
        let isIPv4 = !parts[0].contains(":")
        let width = isIPv4 ? 32 : 128
        var bits = width
        if parts.count == 2 {
            let isNumber = !parts[1].isEmpty && parts[1].utf8.allSatisfy { (0x30...0x39).contains($0) }
            guard isNumber, let given = Int(parts[1]), given <= width else { return nil }
            bits = given
        }
        let all = isIPv4 ? bits + 96 : bits
        return Range(network: address.prefix(all), bits: all, text: String(text))
    }
}
