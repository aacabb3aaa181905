import HearthWire

/// An address inside the console. It is made of segments that are percent-encoded, so it can neither leave this server nor
/// be a script.
struct Link: Sendable, Hashable {
    /// A path from the server's root; empty for the page itself.
    private let path: String
    private var query = ""
    private var fragment = ""

    fileprivate init(path: String) { self.path = path }

    /// Path, query and fragment: what a browser gets.
    var text: String { path + (query.isEmpty ? "" : "?" + query) + (fragment.isEmpty ? "" : "#" + fragment) }

    /// A part of the same page.
    static func fragment(_ id: String) -> Link { Link(path: "").with(fragment: id) }

    /// This link with more items in its query.
    func with(_ items: [(String, String)]) -> Link {
        var copy = self
        guard !items.isEmpty else { return self }
        copy.query = (query.isEmpty ? "" : query + "&") + URLText.encode(items)
        return copy
    }

    func with(fragment: String) -> Link {
        var copy = self
        copy.fragment = URLText.encode(fragment)
        return copy
    }
}

/// Makes all links of the console. It knows the path under which a proxy publishes the server.
struct Site: Sendable, Hashable {
    /// The path of `public-url`, without a slash at its end: empty, or such as `/hearth`.
    let prefix: String

    /// The server's pages, below `/console/`.
    func link(_ segments: [String]) -> Link {
        Link(
            path: "\(prefix)/console/"
                + segments.map { URLText.encode(URLText.withDotGuard($0)) }.joined(separator: "/"))
    }

    func link(_ segments: String...) -> Link { link(segments) }

    /// The segments of a request's path behind `console`; nil for a path that is not of the console. The proxy may have
    /// removed the server's own path, which may itself contain that word.
    func segmentsBelow(_ path: [String]) -> ArraySlice<String>? {
        let own = prefix.split(separator: "/").compactMap(URLText.decode) + ["console"]
        if path.starts(with: own) { return path.dropFirst(own.count) }
        return path.first == "console" ? path.dropFirst() : nil
    }
}

/// Percent-encoding of texts in addresses.
enum URLText {
    static func encode(_ text: String) -> String { PercentEncoding.encode(text) }

    /// Browsers take the segments `.` and `..` of a path for folders, escaped ones too, and remove them. So a name that is
    /// one of these gets a tilde in front, and a name that could be mistaken for the result gets one more.
    static func withDotGuard(_ segment: String) -> String { isDots(segment) ? "~" + segment : segment }

    /// The name that `withDotGuard` got.
    static func withoutDotGuard(_ segment: String) -> String {
        segment.hasPrefix("~") && isDots(segment) ? String(segment.dropFirst()) : segment
    }

    /// One or two dots, with any number of tildes in front.
    private static func isDots(_ segment: String) -> Bool {
        let dots = segment.drop { $0 == "~" }
        return dots == "." || dots == ".."
    }

    /// The items of a query.
    static func encode(_ items: [(String, String)]) -> String {
        items.map { "\(encode($0))=\(encode($1))" }.joined(separator: "&")
    }

    /// One part of an address; nil if an escape is malformed or the text is not UTF-8.
    static func decode(_ text: Substring) -> String? { decode(Array(text.utf8)[...]) }

    /// The fields of a form, or of a query. Nil if an escape is malformed or the text is not UTF-8.
    static func decodeForm(_ bytes: [UInt8]) -> [(name: String, value: String)]? {
        var fields: [(name: String, value: String)] = []
        for pair in bytes.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decode(parts[0]), let value = decode(parts.count > 1 ? parts[1] : []) else { return nil }
            fields.append((name, value))
        }
        return fields
    }

    private static func decode(_ text: ArraySlice<UInt8>) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(value), let low = rest.popFirst().flatMap(value) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
