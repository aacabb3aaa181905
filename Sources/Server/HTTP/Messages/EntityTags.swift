/// The entity tags that an `If-Match` or an `If-None-Match` names (RFC 9110, 13.1).
///
/// A tag counts in every form in which it comes back: bare, as clients store it; in quotes; weak (`W/"…"`), as nginx makes
/// it when it compresses an answer; and with the name of a coding at its end (`"…-gzip"`), as Apache does then.
package struct EntityTags: Sendable, Hashable {
    /// Whether `*` is among them: any present state.
    package let isAny: Bool
    /// Without quotes and marks.
    private let tags: [String]

    /// Nil for a request without that field.
    init?(_ name: String, _ headers: HTTPHeaders) {
        let fields = headers.values(name)
        guard !fields.isEmpty else { return nil }
        let all = fields.flatMap(Self.tags)
        isAny = all.contains("*")
        tags = all.filter { $0 != "*" }
    }

    /// Whether one of them is `tag`, in whatever form.
    package func contains(_ tag: String) -> Bool {
        guard !tag.utf8.contains(UInt8(ascii: "\"")) else { return Self.tags(in: tag).contains(where: tags.contains) }
        return tags.contains(tag)
    }

    /// The same, or `*`.
    package func allow(_ tag: String) -> Bool { isAny || contains(tag) }

    /// The first tag that a field names, without quotes and marks; nil if it names none, or any.
    package static func first(in field: String) -> String? { tags(in: field).first { $0 != "*" } }

    private static func tags(in field: String) -> [String] {
        var rest = field.utf8[...]
        var tags: [String] = []
        while true {
            rest = rest.drop(while: isSeparator)
            if rest.starts(with: "W/".utf8) { rest = rest.dropFirst(2) }
            guard let first = rest.first else { return tags }
            let isQuoted = first == quote
            if isQuoted { rest = rest.dropFirst() }
            let tag = rest.prefix { $0 != quote && (isQuoted || !isSeparator($0)) }
            rest = rest[tag.endIndex...]
            if isQuoted { rest = rest.dropFirst() }
            if !tag.isEmpty { tags.append(isQuoted ? withoutCoding(String(Substring(tag))) : String(Substring(tag))) }
        }
    }

    /// Proxies add it inside the quotes only.
    private static func withoutCoding(_ tag: String) -> String {
        for suffix in ["-gzip", "-br", "-zstd", "-deflate"] where tag.hasSuffix(suffix) {
            return String(tag.dropLast(suffix.count))
        }
        return tag
    }

    private static let quote = UInt8(ascii: "\"")

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: ",")
    }
}

extension RequestHead {
    /// The states to which the request applies; nil if it applies to all.
    package var ifMatch: EntityTags? { EntityTags("If-Match", headers) }

    /// The states that the caller has; nil if it names none. What `*` means depends on the call: for the calls of devices
    /// it means that the device has nothing, because Firebase's web client sends it then.
    package var ifNoneMatch: EntityTags? { EntityTags("If-None-Match", headers) }
}
