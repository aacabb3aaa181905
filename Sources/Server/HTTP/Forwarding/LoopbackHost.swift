/// A `Host` field that names the machine itself: `localhost` or a loopback address, with a port or without.
///
/// A request on loopback for any other name may come from a proxy that tells nothing of itself, or from a browser which
/// was made to believe that the name leads here (DNS rebinding).
enum LoopbackHost {
    static func matches(_ host: String) -> Bool {
        let isBracketed = host.utf8.first == UInt8(ascii: "[")
        let mark = host.utf8.firstIndex(of: isBracketed ? UInt8(ascii: "]") : UInt8(ascii: ":"))
        guard let end = mark ?? (isBracketed ? nil : host.endIndex) else { return false }
        let name = isBracketed ? host[..<end].dropFirst() : host[..<end]
        let rest = isBracketed ? host[end...].dropFirst() : host[end...]
        return isPort(rest) && isThisMachine(name, isBracketed)
    }

    private static func isThisMachine(_ name: Substring, _ isBracketed: Bool) -> Bool {
        // Brackets are for IPv6 (RFC 3986, 3.2.2).
        guard isBracketed == name.utf8.contains(UInt8(ascii: ":")) else { return false }
        if IPAddress(name)?.isLoopback == true { return true }
        return !isBracketed && name.lowercased() == "localhost"
    }

    /// Nothing, or a colon and digits, if any.
    private static func isPort(_ text: Substring) -> Bool {
        let digits = text.utf8.dropFirst()
        return text.isEmpty || text.utf8.first == UInt8(ascii: ":") && digits.allSatisfy { (0x30...0x39).contains($0) }
    }
}
