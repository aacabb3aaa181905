import HearthApp
import HearthCrypto
import HearthTransport
import HearthWire

/// A link to a file, which contains its expiry.
struct FileLink: Sendable {
    let baseURL: String
    let hash: String
    /// nil when the link does not contain it.
    var expires: Timestamp?

    init(baseURL: String, hash: String, expires: Timestamp) {
        (self.baseURL, self.hash, self.expires) = (baseURL, hash, expires)
    }

    /// Reads a link. Every text contains the name of a file, which may be empty.
    init(_ url: String, baseURL: String) {
        self.baseURL = baseURL
        let parts = url.dropFirst(baseURL.count + 1).split(
            separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        hash = String(parts[0])
        guard parts.count == 2 else { return }
        for item in parts[1].split(separator: "&") where item.hasPrefix("expires=") {
            expires = Int64(item.dropFirst("expires=".count)).map { Timestamp(seconds: $0) }
        }
    }

    var url: String { "\(baseURL)/\(hash)?expires=\(expires?.seconds ?? 0)" }
}
