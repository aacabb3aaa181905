/// A `Host` field that names the machine itself: `localhost` or a loopback address, with a port or without.
///
/// A request on loopback for any other name may come from a proxy that tells nothing of itself, or from a browser which
/// was made to believe that the name leads here (DNS rebinding).
enum LoopbackHost {
    static func matches(_ host: String) -> Bool {
        let isBracketed = host.hasPrefix("[")
        guard let end = host.firstIndex(of: isBracketed ? "]" : ":") ?? (isBracketed ? nil : host.endIndex) else {
            return false
        }
        let name = isBracketed ? host[..<end].dropFirst() : host[..<end]
        let rest = isBracketed ? host[end...].dropFirst() : host[end...]
        return isPort(rest) && isThisMachine(name, isBracketed)
    }

    private static func isThisMachine(_ name: Substring, _ isBracketed: Bool) -> Bool {
        // Brackets are for IPv6 (RFC 3986, 3.2.2).
        guard isBracketed == name.contains(":") else { return false }
        return name.lowercased() == "localhost" && !isBracketed || IPAddress(name)?.isLoopback == true
    }

    /// Nothing, or a colon and digits, if any.
    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty || text.first == ":" && text.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
    }
}
