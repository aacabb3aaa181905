/// The entity tags that an `If-Match` or an `If-None-Match` names (RFC 9110, 13.1).
///
/// A tag counts in every form in which it comes back: bare, as clients store it; in quotes; weak (`W/"…"`), as nginx makes
/// it when it compresses an answer; and with the name of a coding at its end (`"…-gzip"`), as Apache does then.
package struct EntityTags: Sendable, Hashable {
    private let fields: [String]

    /// Nil for a request without that field.
    init?(_ name: String, _ headers: HTTPHeaders) {
        fields = headers.values(name)
        guard !fields.isEmpty else { return nil }
    }

    /// Whether `*` is among them: any present state. In quotes it is a tag as any other.
    package var isAny: Bool { has { $0.isStar } }

    /// Whether one of them is `tag`, in whatever form.
    package func contains(_ tag: String) -> Bool {
        guard tag.utf8.contains(TagReader.quote) else { return names(tag[...]) }
        var tags = TagReader(tag)
        while let own = tags.next() { if !own.isStar, names(own.text) { return true } }
        return false
    }

    /// Whether `*` or `tag`, in whatever form, is among them.
    package func allow(_ tag: String) -> Bool { isAny || contains(tag) }

    private func names(_ bare: Substring) -> Bool { has { !$0.isStar && $0.text == bare } }

    private func has(_ isMeant: (TagReader.Tag) -> Bool) -> Bool {
        fields.contains { field in
            var tags = TagReader(field)
            while let tag = tags.next() { if isMeant(tag) { return true } }
            return false
        }
    }

    /// The first tag that a field names, without quotes and marks; nil if it names none, or any.
    package static func first(in field: String) -> Substring? {
        var tags = TagReader(field)
        while let tag = tags.next() { if !tag.isStar { return tag.text } }
        return nil
    }
}

/// The tags of a field, one after the other, without quotes and marks. Makes no copies, because each question of a device has
/// such a field.
private struct TagReader {
    struct Tag {
        let text: Substring
        /// Whether it is no tag, but the star that stands for all.
        let isStar: Bool
    }

    static let quote = UInt8(ascii: "\"")
    private static let codings = ["-gzip", "-br", "-zstd", "-deflate"]

    private var rest: Substring.UTF8View

    init(_ field: String) { rest = field.utf8[...] }

    mutating func next() -> Tag? {
        while true {
            rest = rest.drop(while: Self.isSeparator)
            if rest.starts(with: "W/".utf8) { rest = rest.dropFirst(2) }
            guard let first = rest.first else { return nil }
            let isQuoted = first == Self.quote
            if isQuoted { rest = rest.dropFirst() }
            let tag = rest.prefix { $0 != Self.quote && (isQuoted || !Self.isSeparator($0)) }
            rest = rest[tag.endIndex...]
            if isQuoted { rest = rest.dropFirst() }
            guard !tag.isEmpty else { continue }
            let text = Substring(tag)
            return isQuoted
                ? Tag(text: Self.withoutCoding(text), isStar: false) : Tag(text: text, isStar: text == "*")
        }
    }

    /// Proxies add it inside the quotes only.
    private static func withoutCoding(_ tag: Substring) -> Substring {
        codings.first(where: tag.hasSuffix).map { tag.dropLast($0.utf8.count) } ?? tag
    }

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
