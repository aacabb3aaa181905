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
