/// From where devices fetch model files.
package enum ModelLinks: Sendable, Hashable {
    /// From this server, with links that it signs.
    case server
    /// From the store, with links that it accepts for a while.
    case store
    /// From an address, such as that of a CDN, to which the hash of the file is appended. Anybody may fetch from it who
    /// knows the hash.
    case prefix(String)

    /// `server`, `store`, or an address that begins with http:// or https:// and ends with '/'.
    package init?(_ text: String) {
        switch text {
        case "server": self = .server
        case "store": self = .store
        default:
            guard text.hasPrefix("https://") || text.hasPrefix("http://"), text.hasSuffix("/"), text.utf8.count <= 2000,
                text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x3F && $0 != 0x23 })
            else { return nil }
            self = .prefix(text)
        }
    }

    package var text: String {
        switch self {
        case .server: "server"
        case .store: "store"
        case .prefix(let prefix): prefix
        }
    }
}
