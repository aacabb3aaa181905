import Foundation

/// Who counts as one client address.
public enum ClientNetwork {
    /// An IPv4 address is itself. Of an IPv6 address the first 64 bits count, because the rest is the client's own to
    /// choose. Anything else is its own name.
    public static func name(of address: String) -> String {
        guard address.utf8.contains(UInt8(ascii: ":")) else { return address }
        var parsed = in6_addr()
        guard inet_pton(AF_INET6, address, &parsed) == 1 else { return address }
        return withUnsafeBytes(of: parsed) { bytes in
            let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
            // An IPv4 client of a socket for both is told apart from its neighbours as over IPv4.
            guard !bytes.starts(with: mapped) else { return bytes.suffix(4).map(String.init).joined(separator: ".") }
            return bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":") + "/64"
        }
    }
}
