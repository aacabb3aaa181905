/// Recognizes a `Host` field that names the machine itself: `localhost` or a loopback address, with or without a port.
///
/// A request on loopback for any other name may come from a proxy that adds no header fields, or from a browser that
/// was made to resolve the name to this machine (DNS rebinding).
package enum LoopbackHost {
    package static func matches(_ host: String) -> Bool {
        var host = host
        // On borrowed bytes: every look-up of a model calls this, and access to parts of a `String` is slow.
        return host.withUTF8 { matches($0[...]) }
    }

    private typealias Text = Slice<UnsafeBufferPointer<UInt8>>

    private static func matches(_ host: Text) -> Bool {
        let isBracketed = host.first == UInt8(ascii: "[")
        let mark = host.firstIndex(of: isBracketed ? UInt8(ascii: "]") : UInt8(ascii: ":"))
        guard let end = mark ?? (isBracketed ? nil : host.endIndex) else { return false }
        let name = isBracketed ? host[..<end].dropFirst() : host[..<end]
        let rest = isBracketed ? host[end...].dropFirst() : host[end...]
        return isPort(rest) && isThisMachine(name, isBracketed)
    }

    private static func isThisMachine(_ name: Text, _ isBracketed: Bool) -> Bool {
        // Brackets are for IPv6 (RFC 3986, 3.2.2).
        guard isBracketed == name.contains(UInt8(ascii: ":")) else { return false }
        let name = String(decoding: UnsafeBufferPointer(rebasing: name), as: UTF8.self)
        if IPAddress(name)?.isLoopback == true { return true }
        return !isBracketed && name.lowercased() == "localhost"
    }

    /// Empty, or a colon and any number of digits.
    private static func isPort(_ text: Text) -> Bool {
        text.isEmpty
            || text.first == UInt8(ascii: ":") && text.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
    }
}
