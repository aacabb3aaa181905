import HearthWire

/// A link to a file, with its end in it.
struct FileLink: Sendable {
    let baseURL: String
    let hash: String
    /// nil when the link does not say.
    var expires: Timestamp?

    init(baseURL: String, hash: String, expires: Timestamp) {
        (self.baseURL, self.hash, self.expires) = (baseURL, hash, expires)
    }

    /// Reads a link; whatever it is, there is a name of a file in it, if only an empty one.
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
