/// Which web pages may call the routes of devices, by their origins: scheme, host, and port where it is not the scheme's own.
public struct AllowedOrigins: Sendable, Hashable, CustomStringConvertible {
    /// Pages from everywhere.
    public static let any = AllowedOrigins(names: ["*"])
    public static let none = AllowedOrigins(names: [])

    private static let wildcard = "*"

    let names: [String]

    private init(names: [String]) { self.names = names }

    /// Reads `*`, or origins such as `https://app.example,http://localhost:5000`; none where there is no text. Nil for what
    /// no browser would ever send.
    public init?(_ text: String) {
        let names = text.split(separator: ",", omittingEmptySubsequences: false)
            .map { String($0.drop { $0 == " " }).split(separator: " ").joined() }
        guard text.contains(where: { $0 != " " }) else {
            self = .none
            return
        }
        guard names == [Self.wildcard] || names.allSatisfy(Self.isOrigin) else { return nil }
        self.names = names
    }

    var isAny: Bool { names == [Self.wildcard] }

    /// What `description` says is what the initializer reads.
    public var description: String { names.joined(separator: ",") }

    /// As browsers write it (RFC 6454, 6.2): lower case, no path, not even a slash.
    private static func isOrigin(_ text: String) -> Bool {
        guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return false }
        let parts = text.dropFirst(scheme.count).split(separator: ":", omittingEmptySubsequences: false)
        guard let host = parts.first, !host.isEmpty, host.utf8.allSatisfy(isHostByte), parts.count <= 2 else {
            return false
        }
        guard parts.count == 2 else { return true }
        guard let port = UInt16(parts[1]), port > 0 else { return false }
        return String(port) == parts[1] && port != (scheme == "https://" ? 443 : 80)
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x2E
    }
}
