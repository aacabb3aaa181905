import Glibc

/// A numeric IP address to listen on.
struct ListenAddress {
    let isLoopback: Bool
    /// Whether it stands for every address of the machine, and so is none that others can use.
    let isWildcard: Bool

    /// Nil when `text` is no numeric address. Wraps `inet_pton`.
    init?(_ text: String) {
        guard let bytes = Self.bytes(AF_INET, 4, text) ?? Self.bytes(AF_INET6, 16, text) else { return nil }
        isWildcard = bytes.allSatisfy { $0 == 0 }
        let isIPv6Loopback = bytes.count == 16 && bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
        isLoopback = bytes.count == 4 && bytes[0] == 127 || isIPv6Loopback
    }

    private static func bytes(_ family: Int32, _ count: Int, _ text: String) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }
}
