/// The web pages that may call the routes of devices, by their origins: scheme, host, and port if it is not the
/// scheme's default.
package struct AllowedOrigins: Sendable, Hashable, CustomStringConvertible {
    /// Pages of all origins.
    package static let any = AllowedOrigins(names: ["*"])
    package static let none = AllowedOrigins(names: [])

    private static let wildcard = "*"

    let names: [String]

    private init(names: [String]) { self.names = names }

    /// Parses `*`, or origins such as `https://app.example,capacitor://localhost`; an empty text means none. Nil for a
    /// text that no browser sends as an origin.
    package init?(_ text: String) {
        let names = text.split(separator: ",", omittingEmptySubsequences: false)
            .map { text in
                let rest = text.drop { $0 == " " }
                return String(rest[..<(rest.lastIndex { $0 != " " }.map(rest.index(after:)) ?? rest.startIndex)])
            }
        guard text.contains(where: { $0 != " " }) else {
            self = .none
            return
        }
        guard names == [Self.wildcard] || names.allSatisfy(Self.isOrigin) else { return nil }
        self.names = names
    }

    var isAny: Bool { names == [Self.wildcard] }

    /// The initializer can parse it.
    package var description: String { names.joined(separator: ",") }

    /// As browsers write it (RFC 6454, 6.2): lower case, without a path or even a slash. Any scheme, because apps that
    /// show their own pages have their own schemes.
    private static func isOrigin(_ text: String) -> Bool {
        guard let mark = text.firstRange(of: "://"), isScheme(text[..<mark.lowerBound]) else { return false }
        let rest = text[mark.upperBound...]
        let end =
            rest.first == "["
            ? rest.firstIndex(of: "]").map(rest.index(after:)) : rest.firstIndex(of: ":") ?? rest.endIndex
        guard let end, isHost(rest[..<end]) else { return false }
        return end == rest.endIndex || rest[end] == ":" && isPort(rest[end...].dropFirst(), text[..<mark.lowerBound])
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, (0x61...0x7A).contains(first) else { return false }
        return text.utf8.allSatisfy { isLetterOrDigit($0) || "+-.".utf8.contains($0) }
    }

    /// A name, an IPv4 address, or an IPv6 address in brackets.
    private static func isHost(_ text: Substring) -> Bool {
        guard text.first == "[" else {
            return !text.isEmpty && text.utf8.allSatisfy { isLetterOrDigit($0) || "-._".utf8.contains($0) }
        }
        let address = text.dropFirst().dropLast().utf8
        return address.count(where: { $0 == UInt8(ascii: ":") }) >= 2
            && address.allSatisfy { (0x30...0x3A).contains($0) || (0x61...0x66).contains($0) }
    }

    /// Browsers leave out the scheme's default port.
    private static func isPort(_ text: Substring, _ scheme: Substring) -> Bool {
        guard let port = UInt16(text), port > 0, String(port) == text else { return false }
        return port != (scheme == "https" ? 443 : scheme == "http" ? 80 : 0)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
    }
}
