import Foundation

/// Where an upload session is, as a path below the server's base address. Pure.
enum SessionAddress {
    /// Reads the `Location` of a new session: an absolute address or a path.
    ///
    /// Whatever host it names, the session is asked for where the server was found: credentials go nowhere else, and a
    /// server behind a tunnel may know itself under another name.
    static func path(location: String, base: String) -> String? {
        guard var path = pathOfAddress(location) else { return nil }
        // A server that is found below a path may or may not know of it.
        if let prefix = pathOfAddress(base), path.hasPrefix(prefix + "/") { path = path.dropFirst(prefix.count) }
        let isPlain = path.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return path.hasPrefix("/") && !path.hasPrefix("//") && isPlain && path.utf8.count <= 8192 ? String(path) : nil
    }

    /// What follows the host; nil when nothing does.
    private static func pathOfAddress(_ address: String) -> Substring? {
        guard !address.hasPrefix("/"), let scheme = address.range(of: "://") else { return address[...] }
        return address[scheme.upperBound...].firstIndex(of: "/").map { address[$0...] }
    }
}
