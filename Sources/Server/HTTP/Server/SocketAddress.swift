// Clang assigns `struct sockaddr` to the first module whose headers include it.
internal import CMicroHTTPD
internal import Glibc

/// Numeric socket addresses.
enum SocketAddress {
    /// The IP address as text, an IPv4-mapped IPv6 address as IPv4; empty for other families.
    static func text(_ address: UnsafePointer<sockaddr>) -> String {
        let raw = UnsafeRawPointer(address)
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            return text(AF_INET, raw + MemoryLayout<sockaddr_in>.offset(of: \.sin_addr)!, INET_ADDRSTRLEN)
        case AF_INET6:
            let text = text(AF_INET6, raw + MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr)!, INET6_ADDRSTRLEN)
            return text.hasPrefix("::ffff:") && text.contains(".") ? String(text.dropFirst(7)) : text
        default:
            return ""
        }
    }

    private static func text(_ family: Int32, _ address: UnsafeRawPointer, _ length: Int32) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(length)) { buffer in
            inet_ntop(family, address, buffer.baseAddress, socklen_t(length)).map { String(cString: $0) } ?? ""
        }
    }

    /// The address's bytes as two numbers; `nil` for other families.
    static func number(_ address: UnsafePointer<sockaddr>) -> IPAddress? {
        let raw = UnsafeRawPointer(address)
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            let place = MemoryLayout<sockaddr_in>.offset(of: \.sin_addr)!
            return IPAddress(ipv4: UInt32(bigEndian: raw.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
        case AF_INET6:
            let place = MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr)!
            return IPAddress(
                high: UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)),
                low: UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: place + 8, as: UInt64.self)))
        default:
            return nil
        }
    }

    /// Calls `body` with the address that `text` and `port` name; `nil` if `text` is not a numeric address.
    static func withAddress<Result>(
        _ text: String, port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result? {
        var v4 = sockaddr_in()
        if inet_pton(AF_INET, text, &v4.sin_addr) == 1 {
            v4.sin_family = sa_family_t(AF_INET)
            v4.sin_port = port.bigEndian
            return withSockaddr(&v4, body)
        }
        var v6 = sockaddr_in6()
        if inet_pton(AF_INET6, text, &v6.sin6_addr) == 1 {
            v6.sin6_family = sa_family_t(AF_INET6)
            v6.sin6_port = port.bigEndian
            return withSockaddr(&v6, body)
        }
        return nil
    }

    private static func withSockaddr<Address, Result>(
        _ address: inout Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }
}
